/** The three headers of a delivery as they may have been before something rewrote them. */

import { type Bytes, fromBase64, fromHex, standardBase64 } from "./bytes.ts";
import { type Guess, mistake } from "./explanation.ts";
import { decodedOnceMore } from "./text-guesses.ts";
import { digestsIn, type Stamp } from "./verify-webhook.ts";

export type HeaderMap = ReadonlyMap<string, string>;

const AS_SENT = "Take webhook-id, webhook-timestamp and webhook-signature as they were sent.";

/** `HTTP_WEBHOOK_ID` and the like, as CGI calls them. Undefined when all have their names. */
export function renamed(headers: HeaderMap): Guess<HeaderMap> | undefined {
  const plain = [...headers].map(
    ([name, value]) => [name.replace(/^http_/, "").replaceAll("_", "-"), value] as const,
  );
  const isRenamed = plain.some(([name]) => name.startsWith("webhook-") && !headers.has(name));
  if (!isRenamed) return undefined;
  const says = "The headers have other names than they were sent with, such as HTTP_WEBHOOK_ID.";
  return { value: new Map(plain), mistake: mistake("header_names", says, AS_SENT) };
}

export function stampGuesses(headers: HeaderMap, bodyId: string | undefined): Guess<Stamp>[] {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const put = (code: string, says: string, value: Stamp) => ({
    value,
    mistake: mistake(code, says, AS_SENT),
  });
  const olderTime = headers.get("x-svc-webhook-timestamp");
  const olderId = headers.get("x-svc-webhook-id") ?? bodyId;
  const changedTime = timestamp === "" ? "missing" : "not the one that was signed";
  const changedId = id === "" ? "missing" : "not the one that was signed";
  return [
    { value: { id, timestamp } },
    ...rewrittenTimes(timestamp).map(({ code, says, seconds }) =>
      put(code, says, { id, timestamp: seconds }),
    ),
    ...(olderTime === undefined || olderTime === timestamp
      ? []
      : [
          put("timestamp_changed", `webhook-timestamp is ${changedTime}.`, {
            id,
            timestamp: olderTime,
          }),
        ]),
    ...(olderId === undefined || olderId === id
      ? []
      : [put("id_changed", `webhook-id is ${changedId}.`, { id: olderId, timestamp })]),
  ];
}

function rewrittenTimes(text: string): { code: string; says: string; seconds: string }[] {
  if (/^\d{13}$/.test(text)) {
    const says = "The timestamp is in milliseconds; it is signed in seconds.";
    return [{ code: "timestamp_in_milliseconds", says, seconds: text.slice(0, -3) }];
  }
  const time = /^\d+$/.test(text) ? Number.NaN : timeOf(text);
  if (Number.isNaN(time)) return [];
  const says = "The timestamp was rewritten; it is signed as whole seconds since 1970.";
  return [{ code: "timestamp_rewritten", says, seconds: String(Math.floor(time)) }];
}

function timeOf(text: string): number {
  return /^\d+\.\d*$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}

export function signatureGuesses(header: string): Guess<readonly Bytes[]>[] {
  const put = (code: string, says: string, value: readonly (Bytes | undefined)[]) => {
    const digests = value.filter((each) => each !== undefined);
    const isNew = digests.length > 0;
    return isNew ? [{ value: digests, mistake: mistake(code, says, AS_SENT) }] : [];
  };
  const tokens = header.split(" ").filter((each) => each !== "");
  const bare = tokens.map((each) => each.replace(/^v\w{1,3}[,=]/, ""));
  const versions = tokens.filter((each) => /^v\w{1,3}[,=]/.test(each) && !each.startsWith("v1,"));
  const decoded = decodedOnceMore(header.replaceAll("+", "%2B"));
  return [
    { value: digestsIn(header) },
    ...put(
      "signature_version_missing",
      'The signature lacks its version: it is "v1," and base64.',
      tokens.map((each) => (each.includes(",") ? undefined : fromBase64(each))),
    ),
    ...put(
      "signature_version",
      "The version of the signature is not v1 with a comma behind it.",
      versions.map((each) => fromBase64(each.replace(/^v\w{1,3}[,=]/, ""))),
    ),
    ...put("signature_in_hex", "The signature is in hex; it is sent in base64.", bare.map(fromHex)),
    ...put(
      "signature_base64url",
      "The signature lost its padding, or - and _ stand for + and /.",
      bare.filter((each) => each.length > 40).map((each) => fromBase64(standardBase64(each))),
    ),
    ...put(
      "plus_became_space",
      "A + of the signature was turned into a space.",
      digestsIn(header.replaceAll(" ", "+").replaceAll("+v1,", " v1,")),
    ),
    ...put(
      "signature_list",
      "The signatures stand in a list with other signs between them than a space.",
      digestsIn(header.replace(/[,;|]\s*(?=v1,)/g, " ")),
    ),
    ...(decoded === undefined
      ? []
      : put("doubly_encoded", "The signature was URL-encoded.", digestsIn(decoded))),
  ];
}

/** Of the older header, whose digest is over the body alone. */
export function olderDigest(text: string | undefined): Bytes | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(text ?? "") ?? [];
  return hex === undefined ? undefined : fromHex(hex);
}
