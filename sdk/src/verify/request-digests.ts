/**
 * With which key, by which function and in which form the digest of a payment request may have been
 * made. The first of each list is the right one.
 */

import {
  type Bytes,
  fromBase64,
  fromHex,
  join,
  standardBase64,
  textOf,
  toHex,
  utf8,
} from "./bytes.ts";
import { type Hmac, hmac, hmacBy } from "./digests.ts";
import { type Guess, mistake } from "./explanation.ts";
import { type OtherKeys, SANDBOX_KEYS } from "./key-guesses.ts";
import { withoutWrapping } from "./text-guesses.ts";

export type Digest = (key: Bytes, text: string) => Promise<string>;

export interface RequestKeys {
  readonly signingSecret: string;
  readonly hashKey?: string | undefined;
  readonly others?: readonly OtherKeys[] | undefined;
}

const READ_IT =
  "Key the digest with signing_secret of GET /user/payment-key, of the environment that the " +
  "request names, as the text that it is.";

export function requestKeyGuesses(keys: RequestKeys): Guess<Bytes>[] {
  const { signingSecret, hashKey, others = [] } = keys;
  const bare = withoutWrapping(signingSecret);
  const named = (code: string, says: string, value: Bytes | string | undefined) =>
    value === undefined || value === signingSecret
      ? []
      : [
          {
            value: typeof value === "string" ? utf8(value) : value,
            mistake: mistake(code, says, READ_IT),
          },
        ];
  const hashKeyUsed = "The hash key was used where the signing secret belongs.";
  return [
    { value: utf8(signingSecret) },
    ...named("key_has_white_space", "White space or quotes stand around the secret here.", bare),
    ...["\n", "\r\n", " "].flatMap((end) => named("key_has_white_space", WRAPPED, bare + end)),
    ...named("key_has_white_space", WRAPPED, `"${bare}"`),
    ...named("keys_swapped", hashKeyUsed, hashKey),
    ...named("key_decoded", DECODED, fromHex(bare)),
    ...named("key_decoded", DECODED, fromBase64(standardBase64(bare))),
    ...others.flatMap(({ name, environment, signingSecret: secret, hashKey: key }) => [
      ...(environment === undefined
        ? named("key_of_another_account", signedWith(name), secret)
        : named("key_of_other_environment", signedWith(name), secret)),
      ...named("keys_swapped", hashKeyUsed, key),
    ]),
    ...named("key_of_another_account", signedWith(SANDBOX_KEYS.name), SANDBOX_KEYS.signingSecret),
    ...named("keys_swapped", hashKeyUsed, SANDBOX_KEYS.hashKey),
  ];
}

const WRAPPED = "It was signed with white space or quotes around the secret.";
const DECODED = "The secret was decoded before it was used as a key.";

function signedWith(name: string): string {
  return `It was signed with the secret of "${name}", not with the one given.`;
}

const HMAC_IT = "Make an HMAC-SHA-256 of the text, keyed by the secret.";

/** By keys that are imported once: each is used for many texts. */
export function digestGuesses(given: string): Guess<Digest>[] {
  const known = new Map<string, Promise<Hmac>>();
  const right: Digest = async (key, text) => {
    const name = toHex(key);
    const mac = known.get(name) ?? hmacBy(key);
    known.set(name, mac);
    return toHex(await (await mac)(utf8(text)));
  };
  const plain = "A plain SHA-256 of text and secret was made, and not an HMAC.";
  return [
    { value: right },
    {
      value: async (key, text) => toHex(await hmac(utf8(text), key)),
      mistake: mistake("hmac_swapped", "Key and text of the HMAC changed places.", HMAC_IT),
    },
    {
      value: sha256((key, text) => join(text, key)),
      mistake: mistake("plain_hash", plain, HMAC_IT),
    },
    {
      value: sha256((key, text) => join(key, text)),
      mistake: mistake("plain_hash", plain, HMAC_IT),
    },
    ...otherFunctions(given),
  ];
}

function sha256(of: (key: Bytes, text: Bytes) => Bytes): Digest {
  return async (key, text) =>
    toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", of(key, utf8(text)))));
}

const BY_LENGTH: Readonly<Record<number, string>> = { 40: "SHA-1", 96: "SHA-384", 128: "SHA-512" };

function otherFunctions(given: string): Guess<Digest>[] {
  const hash = BY_LENGTH[given.length];
  if (hash === undefined) return [];
  const value: Digest = async (key, text) => {
    const algorithm = { name: "HMAC", hash };
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text))));
  };
  const says = `An HMAC by ${hash} was made: it is SHA-256.`;
  return [{ value, mistake: mistake("other_hash_function", says, HMAC_IT) }];
}

/** Capital letters are as good as small ones. */
export function signatureForms(given: string): Guess<string>[] {
  const instead = "Write the digest in hex: 64 digits.";
  const form = (says: string, bytes: Bytes | undefined) =>
    bytes === undefined
      ? []
      : [{ value: toHex(bytes), mistake: mistake("digest_form", says, instead) }];
  const bare = given.trim().replace(/^(?:sha256|v1|hmac)[=,:]/i, "");
  const decoded = fromBase64(standardBase64(bare));
  const isHex = /^[0-9a-f]+$/i.test(given);
  return [
    { value: given.toLowerCase() },
    ...(bare === given ? [] : form("Something stands around the digest.", fromHex(bare))),
    ...(isHex ? [] : form("The digest was written in base64.", decoded)),
    ...(isHex
      ? []
      : form(
          "The hex of the digest was put into base64.",
          fromHex(textOf(decoded ?? new Uint8Array(0)) ?? ""),
        )),
  ];
}
