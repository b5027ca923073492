/**
 * The texts of a line as they are stored: without secrets (Decision 0087). Masked are values by the
 * names of their fields, card numbers and credentials by their look, and the tokens in addresses of
 * our pages, which open them. Runs in the writer, behind the answers.
 */

import { scrub } from "../../kit/scrub.ts";
import { scrubFields } from "../../kit/scrub-fields.ts";
import { BODY_BYTES_MAX, cutText } from "./cut-text.ts";
import type { RequestLine } from "./request-line.ts";

const PATH_BYTES_MAX = 512;
/** Of all together, before each is cut. */
const HEADERS_LENGTH_MAX = 1_024;
const HEADER_BYTES_MAX = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a text too early
const CONTROL = /[\0-\x1f]/g;
const OUR_PAGES = ["checkout", "reset", "invite", "acs"];
const PAGE_TOKEN = /(\/(?:checkout|reset|invite|acs)(?:\/|%2[fF]|\\\/))[\w-]{16,}/g;
/** Clients send the same headers with nearly every request. */
const HEADER_TEXTS_MAX = 500;

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

export interface LineTexts {
  readonly path: string;
  readonly query: string;
  readonly orderId: string;
  readonly requestHeaders: string;
  readonly requestBody: string;
  readonly responseHeaders: string;
  readonly responseBody: string;
  readonly refusal: string;
}

export function textsOfLine(line: RequestLine): LineTexts {
  const { url, requestBody, answerBody, refusal } = line;
  const start = url.indexOf("?");
  const sent = typeof requestBody === "object" ? JSON.stringify(requestBody) : requestBody;
  return {
    path: scrub(plain(start === -1 ? url : url.slice(0, start), PATH_BYTES_MAX)),
    query: start === -1 ? "" : scrubbed(plain(url.slice(start + 1), BODY_BYTES_MAX)),
    orderId: line.orderId === undefined ? "" : scrub(line.orderId),
    requestHeaders: headersText(line.requestHeaders),
    requestBody: sent === undefined ? "" : scrubbed(cutText(sent)),
    responseHeaders: headersText(answerHeadersOf(line)),
    responseBody: answerBody === undefined ? "" : scrubbed(answerBody),
    refusal: refusal === undefined ? "" : scrubbed(JSON.stringify(refusal)),
  };
}

function scrubbed(text: string): string {
  const masked = scrub(scrubFields(text));
  const isOfPage = OUR_PAGES.some((name) => masked.includes(name));
  // Masks may be longer than what they hide.
  return cutText(isOfPage ? masked.replace(PAGE_TOKEN, "$1[masked]") : masked);
}

function plain(text: string, bytesMax: number): string {
  return cutText(text.replace(CONTROL, " "), bytesMax);
}

const headerTexts = new Map<string, string>();

function headersText(headers: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(headers);
  const known = headerTexts.get(text);
  if (known !== undefined) return known;
  const isLong = text.length > HEADERS_LENGTH_MAX;
  const masked = scrubbed(isLong ? JSON.stringify(headers, shortened) : text);
  if (headerTexts.size >= HEADER_TEXTS_MAX) headerTexts.clear();
  if (!isLong) headerTexts.set(text, masked);
  return masked;
}

function shortened(_name: string, value: unknown): unknown {
  return typeof value === "string" ? cutText(value, HEADER_BYTES_MAX) : value;
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
