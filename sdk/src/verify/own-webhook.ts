/**
 * Why a merchant's own code computes another signature for a delivery that is right: each usual way
 * of keying, building or writing it wrongly is computed until one is the same.
 */

import { type Bytes, fromBase64, join, textOf, toBase64, toHex, utf8 } from "./bytes.ts";
import { hmac } from "./digests.ts";
import { type Mistake, mistake } from "./explanation.ts";
import { firstDifference } from "./first-difference.ts";
import { SECRET_PREFIX, type Stamp, signedBytes } from "./verify-webhook.ts";

/** What the merchant's own code made of it; each is optional. */
export interface OwnWebhook {
  readonly signature?: string;
  /** The text that it signed. */
  readonly text?: string;
}

const THE_RULE =
  "Sign id, timestamp and raw body with dots between them, keyed with the bytes whose base64 " +
  "follows whsec_, and write the digest in base64.";

type Named = readonly [code: string, says: string, bytes: Bytes];

export async function explainOwnWebhook(
  stamp: Stamp,
  body: Bytes,
  secret: string,
  { signature, text }: OwnWebhook,
): Promise<Mistake | undefined> {
  const right = signedBytes(stamp, body);
  const rightText = textOf(right) ?? "";
  if (text !== undefined && text !== rightText) {
    const difference = firstDifference(rightText, text);
    const of = mistake("other_text", "Your code signs another text than we do.", THE_RULE);
    return difference === undefined ? of : { ...of, difference };
  }
  if (signature === undefined) return undefined;
  const given = signature.replace(/^v1,|^sha256=/, "");
  for (const [keyCode, keySays, key] of keys(secret))
    for (const [textCode, textSays, message] of texts(stamp, body, right)) {
      const digest = await hmac(key, message);
      const code = keyCode || textCode;
      const says = [keySays, textSays].filter((each) => each !== "").join(" ");
      if (toBase64(digest) === given)
        return code === "" ? undefined : mistake(code, says, THE_RULE);
      if (toHex(digest) !== given.toLowerCase()) continue;
      const words = `${says} It was written in hex; we write base64.`.trim();
      return mistake(code || "signature_in_hex", words, THE_RULE);
    }
  const says = "Your code computes something else, and none of the usual ways leads there.";
  return mistake("own_digest_unknown", says, "Give the text that your code signs as well.");
}

function keys(secret: string): Named[] {
  const rest = secret.replace(SECRET_PREFIX, "");
  const whole = "The whole text of the secret was the key; it has to be decoded.";
  const half = "The text after whsec_ was the key; it has to be decoded.";
  return [
    ["", "", fromBase64(rest) ?? new Uint8Array(0)],
    ["secret_not_decoded", whole, utf8(secret)],
    ["secret_not_decoded", half, utf8(rest)],
  ];
}

function texts(stamp: Stamp, body: Bytes, right: Bytes): Named[] {
  const { id, timestamp } = stamp;
  const built = (...parts: string[]) => join(utf8(parts.join("")), body);
  const parsed = rewritten(textOf(body) ?? "");
  return [
    ["", "", right],
    ["body_only", "The body alone was signed.", body],
    ["signed_order", "Timestamp and id changed places.", built(timestamp, ".", id, ".")],
    ["signed_parts", "The id was left out.", built(timestamp, ".")],
    ["signed_parts", "The timestamp was left out.", built(id, ".")],
    ["signed_separators", "The dots between the parts were left out.", built(id, timestamp)],
    [
      "timestamp_in_milliseconds",
      "The timestamp was taken in milliseconds.",
      built(id, ".", timestamp, "000."),
    ],
    ...parsed.map(
      (text): Named => [
        "body_reserialised",
        "The body was parsed and written anew.",
        signedBytes(stamp, utf8(text)),
      ],
    ),
  ];
}

/** As common languages write JSON. */
function rewritten(text: string): string[] {
  try {
    const parsed = JSON.parse(text);
    const plain = JSON.stringify(parsed);
    const python = JSON.stringify(parsed, null, 1)
      .replace(/\n */g, " ")
      .replace(/([[{]) | (?=[\]}])/g, "$1");
    return [JSON.stringify(parsed, null, 2), plain.replaceAll("/", "\\/"), python];
  } catch {
    return [];
  }
}
