/**
 * The texts of a line as they are stored: without secrets (Decision 0087). Masked are values by the
 * names of their fields, card numbers and credentials by their look, and the tokens in addresses of
 * our pages, which open them. Runs in the writer, behind the answers.
 */

import { scrub } from "../../kit/scrub.ts";
import { scrubFields } from "../../kit/scrub-fields.ts";
import { BODY_BYTES_MAX, cutText } from "./cut-text.ts";
import type { StoredRefusal } from "./explain-refusal.ts";
import type { RequestLine } from "./request-line.ts";

const PATH_BYTES_MAX = 512;
/** Of a header, or a sentence of a refusal, where they are long. */
const TEXT_BYTES_MAX = 512;
const DETAIL_LENGTH_MAX = 2_048;
/** Clients send the same headers, and to the same path, with nearly every request. */
const KNOWN_MAX = 500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a text too early
const CONTROL = /[\0-\x1f]/g;
// A receipt's has a dot before its proof.
const PAGE_TOKEN = /(\/(?:checkout|reset|invite|acs|receipts)(?:\/|%2[fF]|\\\/))[\w.-]{16,}/g;

/** Of an answer, those that explain it; limits only of a refusal, because they always differ. */
const ANSWER_HEADERS = new Set([
  "allow",
  "deprecation",
  "idempotent-replayed",
  "link",
  "location",
  "retry-after",
  "www-authenticate",
]);
const LIMIT_HEADERS = new Set(["x-ratelimit-limit", "x-ratelimit-remaining"]);

/** What is stored of a line beside its bodies. */
export interface LineDetail {
  readonly query?: string | undefined;
  readonly request: Readonly<Record<string, string>>;
  readonly response: Readonly<Record<string, string>>;
  readonly refusal?: StoredRefusal | undefined;
}

export interface LineTexts {
  readonly path: string;
  readonly orderId: string;
  readonly requestBody: string;
  readonly responseBody: string;
  /** JSON of a `LineDetail`. */
  readonly detail: string;
}

export function textsOfLine(line: RequestLine): LineTexts {
  const { url, requestBody, answerBody } = line;
  const start = url.indexOf("?");
  const sent = typeof requestBody === "object" ? JSON.stringify(requestBody) : requestBody;
  return {
    path: pathText(start === -1 ? url : url.slice(0, start)),
    orderId: line.orderId === undefined ? "" : scrub(line.orderId),
    // Cut again, because masks may be longer than what they hide.
    requestBody: sent === undefined ? "" : cutText(masked(cutText(sent))),
    responseBody: answerBody === undefined ? "" : cutText(masked(answerBody)),
    detail: detailText({
      query: start === -1 ? undefined : plain(url.slice(start + 1), BODY_BYTES_MAX),
      request: line.requestHeaders,
      response: answerHeadersOf(line),
      refusal: line.refusal,
    }),
  };
}

function masked(text: string): string {
  return scrub(scrubFields(text)).replace(PAGE_TOKEN, "$1[masked]");
}

function plain(text: string, bytesMax: number): string {
  return cutText(text.replace(CONTROL, " "), bytesMax);
}

const pathText = remembered((path) => scrub(plain(path, PATH_BYTES_MAX)));
const maskedDetail = remembered(masked);

function detailText(detail: object): string {
  const text = JSON.stringify(detail);
  if (text.length > DETAIL_LENGTH_MAX) return masked(JSON.stringify(detail, shortened));
  return maskedDetail(text);
}

/** Made once for texts that come again and again; a long one is not kept. */
function remembered(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size >= KNOWN_MAX) known.clear();
    if (text.length <= DETAIL_LENGTH_MAX) known.set(text, made);
    return made;
  };
}

function shortened(name: string, value: unknown): unknown {
  return typeof value === "string" && name !== "query" ? cutText(value, TEXT_BYTES_MAX) : value;
}

function answerHeadersOf(line: RequestLine): Record<string, unknown> {
  const { answerType, answerHeaders, ownHeaders, code } = line;
  const kept: Record<string, unknown> = { "content-type": answerType };
  if (code !== undefined) kept["x-svc-error"] = code;
  for (const headers of [answerHeaders, ownHeaders])
    for (const name in headers)
      if (ANSWER_HEADERS.has(name) || (code !== undefined && LIMIT_HEADERS.has(name)))
        kept[name] = headers[name];
  return kept;
}
