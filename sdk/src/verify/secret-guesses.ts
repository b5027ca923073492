/** The secret of an endpoint as it may have been meant, as the bytes that key the digest. */

import { type Bytes, fromBase64, fromHex, standardBase64, textOf } from "./bytes.ts";
import { type Guess, mistake } from "./explanation.ts";
import { withoutWrapping } from "./text-guesses.ts";
import { keyIn, SECRET_PREFIX } from "./verify-webhook.ts";

export interface OtherSecret {
  /** How you call it, such as "live" or the endpoint's address. */
  readonly name: string;
  readonly environment?: "live" | "sandbox";
  readonly secret: string;
}

/** Undefined: no bytes can be read from it. */
export type Key = Bytes | undefined;

const AS_SHOWN = "Give the secret as it was shown: whsec_ and the base64 that follows it.";
const ITS_OWN = "Each endpoint has a secret of its own, shown when it was made or rotated.";

export function secretGuesses(secret: string, others: readonly OtherSecret[]): Guess<Key>[] {
  return [
    { value: keyIn(secret) },
    ...spellings(secret),
    ...others.map(({ name, environment, secret: value }) => {
      const says = `It was signed with the secret of "${name}".`;
      const code = environment === undefined ? "secret_of_another_endpoint" : OTHER_ENVIRONMENT;
      return { value: keyIn(value), mistake: mistake(code, says, ITS_OWN) };
    }),
  ].filter(({ value, mistake: of }) => of === undefined || value !== undefined);
}

const OTHER_ENVIRONMENT = "secret_of_other_environment";

function spellings(secret: string): Guess<Key>[] {
  const bare = withoutWrapping(secret);
  const rest = bare.replace(/^(whsec_)+/i, "");
  const inner = textOf(fromBase64(rest) ?? new Uint8Array(0)) ?? "";
  const guesses: [code: string, says: string, value: Key][] = [
    ["secret_without_prefix", "The secret lacks its prefix.", keyIn(SECRET_PREFIX + secret)],
    ["secret_has_white_space", "White space or quotes stand around the secret.", keyIn(bare)],
    ["secret_prefix", "The prefix of the secret is not whsec_ once.", fromBase64(rest)],
    ["secret_encoded_again", "The secret was put into base64 once more.", keyIn(inner.trim())],
    ["secret_decoded", "The secret was decoded already and given in hex.", fromHex(rest)],
    ["secret_decoded", "The secret was decoded already.", binary(rest)],
    [
      "plus_became_space",
      "A + of the secret was turned into a space.",
      fromBase64(rest.replaceAll(" ", "+")),
    ],
    [
      "secret_base64url",
      "The secret lost its padding, or - and _ stand for + and /.",
      fromBase64(standardBase64(rest)),
    ],
  ];
  return guesses.map(([code, says, value]) => ({ value, mistake: mistake(code, says, AS_SHOWN) }));
}

/** Bytes that somebody holds as a text of one character each. */
function binary(text: string): Key {
  if ([...text].some((char) => char.charCodeAt(0) > 0xff)) return undefined;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** What people give in its place, told by its looks alone. */
export function notASecret(secret: string): string | undefined {
  if (/^svc_(live|test)_/.test(secret)) return "What was given as secret is an API key.";
  if (/^eyJ/.test(secret)) return "What was given as secret is an access token.";
  if (/^[0-9A-Za-z]{43}$/.test(secret))
    return "What was given as secret looks like the signing secret of redirects.";
  return secret === "" ? "The secret is empty." : undefined;
}
