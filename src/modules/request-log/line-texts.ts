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

/** Separates the texts of a line while they are scrubbed together, and in `write-lines.ts`. */
const SEPARATOR = "\x1f";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a text too early
const CONTROL = /[\0-\x1f]/g;
const PAGE_TOKEN = /(\/(?:checkout|reset|invite|acs)(?:\/|%2f|\\\/))[\w-]{16,}/gi;

/** Of an answer, those that explain it. */
const ANSWER_HEADERS = [
  "allow",
  "deprecation",
  "idempotent-replayed",
  "link",
  "location",
  "retry-after",
  "www-authenticate",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
];

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
  const body = typeof requestBody === "object" ? cutText(JSON.stringify(requestBody)) : requestBody;
  // Together, because each call costs more than the length of what it is given.
  const scrubbed = scrub(
    [
      plain(start === -1 ? url : url.slice(0, start), PATH_BYTES_MAX),
      start === -1 ? "" : scrubFields(plain(url.slice(start + 1), BODY_BYTES_MAX)),
      line.orderId ?? "",
      headersText(line.requestHeaders),
      scrubFields(body ?? ""),
      answerHeadersOf(line),
      scrubFields(answerBody ?? ""),
      refusal === undefined ? "" : scrubFields(JSON.stringify(refusal)),
    ]
      .join(SEPARATOR)
      .replace(PAGE_TOKEN, "$1[masked]"),
  );
  const [path = "", query = "", orderId = "", requestHeaders = "{}", ...rest] =
    scrubbed.split(SEPARATOR);
  const [sentBody = "", responseHeaders = "{}", responseBody = "", refused = ""] = rest;
  return {
    path,
    query,
    orderId,
    requestHeaders,
    // Masks may be longer than what they hide.
    requestBody: cutText(sentBody),
    responseHeaders,
    responseBody: cutText(responseBody),
    refusal: refused,
  };
}

function plain(text: string, bytesMax: number): string {
  return cutText(text.replace(CONTROL, " "), bytesMax);
}

function headersText(headers: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(headers);
  return text.length <= HEADERS_LENGTH_MAX ? text : JSON.stringify(headers, shortened);
}

function shortened(_name: string, value: unknown): unknown {
  return typeof value === "string" ? cutText(value, HEADER_BYTES_MAX) : value;
}

function answerHeadersOf({ answerType, answerHeaders, ownHeaders, code }: RequestLine): string {
  const kept: Record<string, unknown> = { "content-type": answerType };
  for (const name of ANSWER_HEADERS) {
    const value = ownHeaders?.[name] ?? answerHeaders[name];
    if (value !== undefined) kept[name] = value;
  }
  if (code !== undefined) kept["x-svc-error"] = code;
  return headersText(kept);
}
