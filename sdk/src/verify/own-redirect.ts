/**
 * Why a merchant's own code computes something else than we send, when the redirect itself is
 * right: each usual way of building the text or the digest wrongly is computed until one is the
 * same.
 */

import { type Bytes, fromHex, toBase64, toHex, utf8 } from "./bytes.ts";
import { hmac } from "./digests.ts";
import { type Mistake, mistake } from "./explanation.ts";
import type { Tries } from "./find-fit.ts";
import { firstDifference } from "./first-difference.ts";
import { MISTAKEN_ENCODINGS } from "./form-mistakes.ts";
import { formText, type Pair, sortedByName } from "./form-text.ts";
import { hashOf, signedPairs, signedText, valueIn } from "./redirect-parameters.ts";

/** What the merchant's own code made of it; each is optional. */
export interface OwnRedirect {
  readonly signature?: string;
  readonly hash?: string;
  /** The text that it signed. */
  readonly text?: string;
}

interface Way {
  readonly mistake: Mistake;
  readonly text: string;
}

export async function explainOwnSignature(
  pairs: readonly Pair[],
  signingSecret: string,
  own: OwnRedirect,
  tries: Tries,
): Promise<Mistake | undefined> {
  const right = signedText(pairs);
  const withText = (way: Way) => ({ ...way.mistake, ...differing(right, own.text ?? way.text) });
  const ways = waysToBuild(pairs);
  if (own.text !== undefined && own.text !== right) {
    const way = ways.find(({ text }) => text === own.text);
    return way === undefined ? { ...OTHER_TEXT, ...differing(right, own.text) } : withText(way);
  }
  if (own.signature === undefined) return undefined;
  for (const way of [{ mistake: OTHER_FORM, text: right }, ...ways]) {
    tries.count += 1;
    const digest = await hmac(utf8(signingSecret), utf8(way.text));
    if (toHex(digest) === own.signature && way.text !== right) return withText(way);
    if (toHex(digest) === own.signature) return undefined;
    if (formsOf(digest).includes(own.signature)) return OTHER_FORM;
  }
  const decoded = fromHex(signingSecret);
  if (decoded !== undefined && toHex(await hmac(decoded, utf8(right))) === own.signature)
    return KEY_DECODED;
  return UNKNOWN;
}

function differing(expected: string, given: string): Pick<Mistake, "difference"> {
  const difference = firstDifference(expected, given);
  return difference === undefined ? {} : { difference };
}

function formsOf(digest: Bytes): string[] {
  return [toBase64(digest), toHex(digest).toUpperCase()];
}

function waysToBuild(pairs: readonly Pair[]): Way[] {
  const sorted = signedPairs(pairs);
  const inOrder = pairs.filter((pair) => sorted.includes(pair));
  const unsigned = pairs.filter(([name]) => name !== "signature");
  const isEmpty = ([, value]: Pair) => value === "";
  return [
    way("parameter_order", "The parameters were not sorted by their names.", formText(inOrder)),
    way(
      "parameter_order",
      "The parameters were sorted the other way round.",
      formText([...sorted].reverse()),
    ),
    way(
      "hash_signed_too",
      "The hash was signed as well; the signature covers neither hash nor itself.",
      formText(sortedByName([...sorted, ...pairs.filter(([name]) => name === "hash")])),
    ),
    way(
      "own_parameters_signed_too",
      "Parameters of your own address were signed as well.",
      formText(sortedByName(unsigned.filter(([name]) => name !== "hash"))),
    ),
    way(
      "own_parameters_signed_too",
      "The whole query was signed.",
      formText(sortedByName(unsigned)),
    ),
    way("own_parameters_signed_too", "The whole query was signed, as it is.", formText(unsigned)),
    ...MISTAKEN_ENCODINGS.map(({ code, says, write }) => way(code, says, write(sorted))),
    way(
      "empty_parameter_dropped",
      "Empty parameters were left out.",
      formText(sorted.filter((pair) => !isEmpty(pair))),
    ),
  ];
}

const THE_RULE =
  "Sort our parameters by name, without hash and signature, and encode them as a form: " +
  "new URLSearchParams(sorted).toString().";

function way(code: string, says: string, text: string): Way {
  return { mistake: mistake(code, says, THE_RULE), text };
}

const OTHER_FORM = mistake(
  "digest_form",
  "Your digest is right and written in another form.",
  "Write it in hex, in small letters.",
);
const KEY_DECODED = mistake(
  "key_decoded",
  "Your code decoded the signing secret before it used it.",
  "Key the digest with the text of the signing secret as it is.",
);
const OTHER_TEXT = mistake("other_text", "Your code signs another text than we do.", THE_RULE);
const UNKNOWN = mistake(
  "own_digest_unknown",
  "Your code computes something else, and none of the usual ways leads there.",
  "Give the text that your code signs: then the first byte that differs is shown.",
);

/** The same for the MD5 `hash`. */
export function explainOwnHash(
  pairs: readonly Pair[],
  facts: { hashKey: string; requestedTotal: string; signingSecret?: string | undefined },
  own: string,
): Mistake | undefined {
  const { hashKey, requestedTotal: asked, signingSecret = "" } = facts;
  const id = valueIn(pairs, "transaction_id") ?? "";
  const paid = valueIn(pairs, "total") ?? "";
  const right = hashOf(id, asked, hashKey);
  if (own === right) return undefined;
  const instead = "Hash transaction_id, the requested total with two decimals, and the hash key.";
  if (own.toLowerCase() === right)
    return mistake("hash_case", "It is right, in capital letters.", instead);
  const bare = [asked.replace(/\.00$/, ""), asked.replace(/0$/, ""), withThousands(asked)];
  const ways: [code: string, says: string, made: string[]][] = [
    [
      "total_not_two_decimals",
      "The total was not written with two decimals alone.",
      bare.map((each) => hashOf(id, each, hashKey)),
    ],
    ["total_is_paid_one", `${paid} was paid; ${asked} is hashed.`, [hashOf(id, paid, hashKey)]],
    ["keys_swapped", "The signing secret was hashed.", [hashOf(id, asked, signingSecret)]],
    [
      "hash_order",
      "The parts were hashed in another order.",
      [hashOf(hashKey, id, asked), hashOf(asked, id, hashKey), hashOf(hashKey, asked, id)],
    ],
    [
      "hash_separators",
      "Something was put between the parts.",
      [..."|.:-&, "].map((each) => hashOf(`${id}${each}`, `${asked}${each}`, hashKey)),
    ],
  ];
  const isIt = (made: readonly string[]) => made.includes(own) || made.includes(own.toLowerCase());
  const found = ways.find(([, , made]) => isIt(made));
  return found === undefined ? UNKNOWN : mistake(found[0], found[1], instead);
}

function withThousands(total: string): string {
  return total.replace(/\B(?=(\d{3})+\.)/g, ",");
}
