/**
 * A line of the request log as it waits to be written (Decision 0087): what is kept of a request
 * once it has been answered.
 *
 * A line is made for every request, so it costs little: references to small values and no work on
 * texts, which is left to `line-texts.ts`. It keeps nothing large alive: a body over 4 kB is cut
 * here, and neither the request nor its socket is referenced.
 */

import { type Answer, JSON_TYPE } from "../../infra/http/answer.ts";
import type { Sent } from "../../infra/http/answered.ts";
import { hasBody } from "../../infra/http/body/read-body.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Request } from "../../infra/http/request.ts";
import { PROBLEM_TYPE } from "../../infra/http/serve/render-error.ts";
import { environmentOfTransaction, TRANSACTION_ID } from "../../kit/ids.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { BODY_BYTES_MAX, cutText } from "./cut-text.ts";

/** What a line takes beside its bodies, roughly. */
const LINE_BYTES = 1_024;
const ACCOUNT_NUMBER = /^[1-9]\d{9}$/;
/** What is no order's id may be anything, and is in the body without its secrets. */
const ORDER_ID = /^[\w-]{1,64}$/;
const READABLE = /^\s*application\/(?:json|x-www-form-urlencoded)\b/i;

type Fields = Readonly<Record<string, unknown>>;

/** The fields, their text, or in brackets what it was. */
type Body = Fields | string | undefined;

export interface RequestLine {
  readonly requestId: string;
  readonly accountNumber: string;
  /** It is not known whether there is such an account. */
  readonly isClaimed: boolean;
  readonly environment: Environment | "any";
  /** In milliseconds of `performance.now()`. */
  readonly beganAt: number;
  readonly elapsedMs: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly credential: string | undefined;
  readonly address: string;
  readonly orderId: string | undefined;
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  readonly requestBody: Body;
  /** As far as they are known: those of the admission, and the answer's own. */
  readonly answerHeaders: Fields;
  readonly ownHeaders: Fields | undefined;
  readonly answerType: string;
  readonly answerBody: string | undefined;
  readonly refusal: Fields | undefined;
  /** Of memory, roughly. */
  readonly bytes: number;
}

/** Undefined where it is not known whose request it is. */
export function lineOf(request: Request, answer: Answer, sent: Sent): RequestLine | undefined {
  const { caller, url } = request;
  const fields = isFields(request.body) ? request.body : undefined;
  const accountNumber = caller?.accountNumber ?? claimedAccount(fields);
  if (accountNumber === undefined) return undefined;
  const { refusal } = answer;
  const requestBody = bodySent(request, fields);
  const answerBody = answerText(answer, sent);
  return {
    requestId: request.id,
    accountNumber,
    isClaimed: caller === undefined && (refusal !== undefined || answer.status >= 400),
    environment: environmentOfLine(caller, fields, url),
    beganAt: performance.now() - sent.elapsedMs,
    elapsedMs: sent.elapsedMs,
    method: request.method,
    url,
    status: answer.status,
    code: refusal?.code ?? answer.error,
    credential: caller && credentialOfLine(caller),
    address: request.clientAddress,
    orderId: orderIn(fields) ?? orderInQuery(url) ?? orderInAnswer(answer.body),
    requestHeaders: headersOf(request),
    requestBody,
    answerHeaders: request.answerHeaders,
    ownHeaders: answer.headers,
    answerType: answer.contentType ?? JSON_TYPE,
    answerBody,
    refusal: refusal && {
      message: refusal.message,
      field: refusal.field ?? null,
      hint: refusal.hint,
    },
    bytes: LINE_BYTES + lengthOf(requestBody, request) + (answerBody?.length ?? 0),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whom a payment request without a credential names. */
function claimedAccount(fields: Fields | undefined): string | undefined {
  const given = fields?.account_number;
  const digits = typeof given === "number" ? String(given) : given;
  return typeof digits === "string" && ACCOUNT_NUMBER.test(digits) ? digits : undefined;
}

function credentialOfLine({ credential }: Caller): string {
  switch (credential.kind) {
    case "key":
      return credential.kid;
    case "bearer":
      return `grant ${credential.grantId}`;
    case "session":
      return `person ${credential.personId}`;
  }
}

/**
 * A bearer token reaches both environments, and many requests name neither; some do by the id of a
 * transaction or withdrawal in their path (Decision 0144).
 */
function environmentOfLine(
  caller: Caller | undefined,
  fields: Fields | undefined,
  url: string,
): Environment | "any" {
  if (caller?.credential.kind === "key") return caller.credential.environment;
  const named = fields?.environment ?? queryValue(url, "environment");
  return ENVIRONMENTS.find((one) => one === named) ?? environmentInPath(url) ?? "any";
}

function environmentInPath(url: string): Environment | undefined {
  const [path = ""] = url.split("?", 1);
  const id = path.split("/").find((part) => TRANSACTION_ID.test(part));
  return id === undefined ? undefined : environmentOfTransaction(id);
}

function orderIn(fields: Fields | undefined): string | undefined {
  const given = fields?.order_id;
  return typeof given === "string" && ORDER_ID.test(given) ? given : undefined;
}

/** A search in this log is not about the order: it would be found by the next one. */
function orderInQuery(url: string): string | undefined {
  if (url.startsWith("/requests")) return undefined;
  return orderIn({ order_id: queryValue(url, "order_id") });
}

function orderInAnswer(body: unknown): string | undefined {
  const data = isFields(body) ? (body.data ?? body) : undefined;
  return isFields(data) ? orderIn(data) : undefined;
}

function queryValue(url: string, name: string): string | undefined {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes(name, start)) return undefined;
  return new URLSearchParams(url.slice(start + 1)).get(name) ?? undefined;
}

/** Those that explain an answer; never a credential or a cookie. */
function headersOf({ raw: { headers } }: Request): RequestLine["requestHeaders"] {
  return {
    accept: headers.accept,
    "content-type": headers["content-type"],
    "idempotency-key": String(headers["idempotency-key"] ?? "") || undefined,
    origin: headers.origin,
    "user-agent": headers["user-agent"],
  };
}

function bodySent({ raw: { headers } }: Request, fields: Fields | undefined): Body {
  if (!hasBody(headers)) return undefined;
  const { "content-type": type = "no type", "content-length": length } = headers;
  // A file, or what was not read: refused before, or not what it says it is.
  if (fields === undefined || !READABLE.test(type)) return noteOf(type, length);
  if (Number(length) <= BODY_BYTES_MAX) return fields;
  return cutText(JSON.stringify(fields));
}

function lengthOf(body: Body, { raw: { headers } }: Request): number {
  if (body === undefined) return 0;
  return typeof body === "string" ? body.length : Number(headers["content-length"]);
}

function answerText(
  { body: value, contentType = JSON_TYPE }: Answer,
  { body: sent }: Sent,
): string | undefined {
  if (sent === undefined || sent.length === 0)
    return sent === undefined ? noteOf(contentType) : undefined;
  const isJson = contentType === JSON_TYPE || contentType === PROBLEM_TYPE;
  if (typeof sent !== "string" || Buffer.isBuffer(value) || !isJson)
    return noteOf(contentType, String(Buffer.byteLength(sent)));
  return cutText(sent);
}

function noteOf(type: string, length?: string): string {
  return length === undefined ? `[${type}]` : `[${type}, ${length} bytes]`;
}
