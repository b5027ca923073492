/**
 * Says whether a delivery verifies and, if not, why: rebuilds the text step by step, tries the
 * usual mistakes by computing each, and shows the first byte that differs (Decision 0054).
 *
 * It runs where the secret is, in a terminal, a test or a browser, and sends nothing anywhere. For
 * a merchant's server there is `verifyWebhook`.
 */

import { bodyGuesses } from "./body-guesses.ts";
import { type Bytes, isSame, textOf, toBase64, utf8 } from "./bytes.ts";
import { describeSecret, type Hmac, hmac, hmacBy } from "./digests.ts";
import { isFields } from "./event-order.ts";
import {
  type Explanation,
  type Guess,
  type Mistake,
  mistake,
  NOT_FOUND,
  type Step,
  summaryOf,
} from "./explanation.ts";
import { type Fit, findFit, type Tries } from "./find-fit.ts";
import { firstDifference } from "./first-difference.ts";
import {
  type HeaderMap,
  olderDigest,
  renamed,
  signatureGuesses,
  stampGuesses,
} from "./header-guesses.ts";
import { explainOwnWebhook, type OwnWebhook } from "./own-webhook.ts";
import { type Key, notASecret, type OtherSecret, secretGuesses } from "./secret-guesses.ts";
import { clockMistake } from "./time-words.ts";
import {
  digestsIn,
  keyIn,
  type Stamp,
  signedBytes,
  TOLERANCE_SECONDS,
  type WebhookChecks,
} from "./verify-webhook.ts";
import { type HeadersInput, readHeaders } from "./webhook-headers.ts";

export interface WebhookFacts extends WebhookChecks {
  /** Secrets that may have been meant. */
  readonly others?: readonly OtherSecret[];
  /** What your own code computed. */
  readonly own?: OwnWebhook;
}

type Parts = [Key, Bytes, Stamp, readonly Bytes[]];

export async function explainWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersInput,
  secrets: string | readonly string[],
  facts: WebhookFacts = {},
): Promise<Explanation> {
  const body = typeof rawBody === "string" ? utf8(rawBody) : Uint8Array.from(rawBody);
  const given = [secrets].flat();
  const sent = readHeaders(headers);
  const named = renamed(sent);
  const used = named?.value ?? sent;
  const tries = { count: 0 };
  const fit = await fitOf(body, used, given, facts, tries);
  const olderFits = fit === undefined && (await fitsOlder(body, used, given));
  const own = await ownMistakes(fit, body, given, facts);
  const found = fit === undefined ? missing(used, body) : [...fit.mistakes, ...clock(fit, facts)];
  const first = named?.mistake === undefined ? [] : [named.mistake];
  const wrong = [...first, ...found.map((each) => withDifference(each, fit, body, used))];
  const mistakes = wrong.length === 0 && fit === undefined ? [unknown(olderFits)] : wrong;
  const isRight = mistakes.length === 0;
  return {
    verified: isRight,
    summary: summaryOf(mistakes, own),
    mistakes: [...mistakes, ...own],
    notes: [
      ...given.flatMap((secret) => notASecret(secret) ?? []),
      ...(olderFits ? [OLDER_FITS] : []),
      ...(fit === undefined ? [] : await rotationNotes(fit)),
    ],
    steps: await stepsOf(body, used, given),
    tried: tries.count,
  };
}

async function fitOf(
  body: Bytes,
  headers: HeaderMap,
  secrets: readonly string[],
  { others = [] }: WebhookFacts,
  tries: Tries,
): Promise<Fit<Parts> | undefined> {
  const bodies = await bodyGuesses(body);
  const ids = bodies.map(({ value }) => idIn(value));
  const stamps = stampGuesses(
    headers,
    ids.find((id) => id !== undefined),
  );
  const signatures = signatureGuesses(headers.get("webhook-signature") ?? "");
  const keys: Guess<Key>[] = [
    ...secrets.flatMap((secret) => secretGuesses(secret, [])),
    ...secretGuesses("", others).slice(1),
  ];
  const macs = new Map<Bytes, Promise<Hmac>>();
  const fits = async (...[key, each, stamp, digests]: Parts) => {
    if (key === undefined || stamp.id === "" || stamp.timestamp === "") return false;
    const mac = macs.get(key) ?? hmacBy(key);
    macs.set(key, mac);
    const digest = await (await mac)(signedBytes(stamp, each));
    return digests.some((one) => isSame(one, digest));
  };
  return findFit<Parts>([keys, bodies, stamps, signatures], fits, tries, body.length);
}

function idIn(body: Bytes): string | undefined {
  try {
    const event: unknown = JSON.parse(textOf(body) ?? "");
    return isFields(event) && typeof event.id === "string" ? event.id : undefined;
  } catch {
    return undefined;
  }
}

function clock({ values: [, , { timestamp }] }: Fit<Parts>, facts: WebhookFacts): Mistake[] {
  const { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS } = facts;
  const skewed = clockMistake(Number(timestamp), now.getTime() / 1000, toleranceSeconds);
  return skewed === undefined ? [] : [skewed];
}

/** Between the text that was signed and that of what was given, when they are texts. */
function withDifference(
  of: Mistake,
  fit: Fit<Parts> | undefined,
  body: Bytes,
  headers: HeaderMap,
): Mistake {
  if (fit === undefined) return of;
  const [, meant, stamp] = fit.values;
  const expected = textOf(signedBytes(stamp, meant));
  const given = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const start = `${headers.get("webhook-id") ?? ""}.${headers.get("webhook-timestamp") ?? ""}.`;
  const difference = firstDifference(expected ?? "", start + given);
  return difference === undefined ? of : { ...of, difference };
}

const OLDER_FITS = "The older signature fits: body and secret are right, the webhook- headers not.";

/** It is of the body alone, keyed with the whole text of the secret. */
async function fitsOlder(
  body: Bytes,
  headers: HeaderMap,
  secrets: readonly string[],
): Promise<boolean> {
  const older = olderDigest(headers.get("x-svc-webhook-signature"));
  if (older === undefined) return false;
  for (const secret of secrets) if (isSame(older, await hmac(utf8(secret), body))) return true;
  return false;
}

async function rotationNotes({ values }: Fit<Parts>): Promise<string[]> {
  const [key, meant, stamp, digests] = values;
  if (key === undefined || digests.length < 2) return [];
  const digest = await hmac(key, signedBytes(stamp, meant));
  const at = digests.findIndex((each) => isSame(each, digest));
  return [
    `There are ${digests.length} signatures, as for a day after a rotation, and yours is ` +
      `number ${at + 1}${at === 0 ? "" : ": your secret is the one from before it"}.`,
  ];
}

async function ownMistakes(
  fit: Fit<Parts> | undefined,
  body: Bytes,
  secrets: readonly string[],
  { own }: WebhookFacts,
): Promise<Mistake[]> {
  const [secret] = secrets;
  if (own === undefined || secret === undefined || fit?.mistakes.length !== 0) return [];
  const wrong = await explainOwnWebhook(fit.values[2], body, secret, own);
  return wrong === undefined ? [] : [wrong];
}

/** What cannot be computed anew can still be missed. */
function missing(headers: HeaderMap, body: Bytes): Mistake[] {
  const instead = "Hand over the headers and the body of the request as they came.";
  const absent = ["webhook-id", "webhook-timestamp", "webhook-signature"].filter(
    (name) => (headers.get(name) ?? "") === "",
  );
  if (body.length === 0)
    return [mistake("body_empty", "The body is empty: something has read it already.", instead)];
  if (textOf(body) === "[object Object]")
    return [mistake("body_is_object", "The body is an object that was parsed already.", instead)];
  return absent.map((name) => mistake("header_missing", `There is no ${name} header.`, instead));
}

function unknown(olderFits: boolean): Mistake {
  const says = olderFits
    ? "One of the webhook- headers is not the one that was sent."
    : "Either the secret is another endpoint's, or the body was changed in transit.";
  const instead =
    "Compare with GET /webhooks/{id}/deliveries, which shows the body as it was sent, and look " +
    "which endpoint the secret is of.";
  return mistake(NOT_FOUND, says, instead);
}

async function stepsOf(
  body: Bytes,
  headers: HeaderMap,
  secrets: readonly string[],
): Promise<Step[]> {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const signed = signedBytes({ id, timestamp }, body);
  const steps: Step[] = [
    {
      title: "Text that is signed",
      text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(signed),
    },
  ];
  for (const secret of secrets) {
    steps.push({ title: "Secret", text: await describeSecret(secret) });
    const key = keyIn(secret);
    const digest = key === undefined ? undefined : await hmac(key, signed);
    const computed =
      digest === undefined ? "none: the secret has another form" : `v1,${toBase64(digest)}`;
    steps.push({ title: "Signature computed", text: computed });
  }
  const count = digestsIn(headers.get("webhook-signature") ?? "").length;
  const title = count > 1 ? `Signatures in the header (${count})` : "Signature in the header";
  return [...steps, { title, text: headers.get("webhook-signature") ?? "none" }];
}
