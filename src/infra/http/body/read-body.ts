/**
 * Bodies: JSON and form data are equal on every route, nothing else is read but what browsers
 * report of our pages. The media type is compared exactly, after its parameters are cut off; a
 * charset other than UTF-8 is refused, because the bytes would mean something else.
 */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { HttpRefused } from "../http-refused.ts";
import { BadBody } from "./bad-body.ts";
import { type FormOptions, parseFormBytes } from "./parse-form.ts";
import { parseJson } from "./parse-json.ts";

const BODY_BYTES_MAX = 65_536;
const READ_ON_GET = /^\s*application\/(?:json|x-www-form-urlencoded)\b/i;

/** Whether the headers announce at least one byte. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": length = "0" } = headers;
  return headers["transfer-encoding"] !== undefined || length !== "0";
}

/** A body of another type is ignored on GET. */
export function isReadOnGet({ headers }: IncomingMessage): boolean {
  return hasBody(headers) && READ_ON_GET.test(headers["content-type"] ?? "");
}

/** The fields of a body; undefined where none is sent. */
export function receiveBody(
  raw: IncomingMessage,
  repeated: FormOptions["repeated"] = "last-wins",
): Promise<Record<string, unknown>> | undefined {
  return hasBody(raw.headers) ? receiveFields(raw, repeated) : undefined;
}

async function receiveFields(
  raw: IncomingMessage,
  repeated: FormOptions["repeated"],
): Promise<Record<string, unknown>> {
  const isAnnouncedTooLarge = Number(raw.headers["content-length"]) > BODY_BYTES_MAX;
  const received = isAnnouncedTooLarge ? undefined : await collectBytes(raw, BODY_BYTES_MAX);
  if (received === undefined || received.isCut) throw new HttpRefused("body_too_large");
  return readBody(raw.headers["content-type"], received.body, repeated);
}

interface Collected {
  readonly body: Buffer;
  /** There were more bytes than allowed, and reading stopped. */
  readonly isCut: boolean;
}

/**
 * Reads a body off the wire. `hold` is called with the size of each chunk, and with the negative of
 * them all at the end; the error that it returns ends the reading.
 */
export function collectBytes(
  raw: IncomingMessage,
  bytesMax: number,
  hold?: (bytes: number) => Error | undefined,
): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    const refusal = hold?.(chunk.length);
    if (refusal === undefined && length <= bytesMax) return;
    raw.pause();
    settle();
    if (refusal === undefined) resolve({ body: Buffer.concat(chunks), isCut: true });
    else reject(refusal);
  };
  const onEnd = () => {
    settle();
    resolve({ body: Buffer.concat(chunks), isCut: false });
  };
  const onGone = () => {
    settle();
    reject(new HttpRefused("malformed_request", { cause: "the client went away in mid-body" }));
  };
  const settle = () => {
    raw.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
    // A request may still be cut off later, and an error without a listener ends the process.
    raw.on("error", () => {});
    hold?.(-length);
  };
  // The client may have gone while it was admitted; then no event follows.
  if (raw.destroyed) onGone();
  else raw.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  return promise;
}

export function readBody(
  contentType: string | undefined,
  bytes: Buffer,
  repeated: FormOptions["repeated"] = "last-wins",
): Record<string, unknown> {
  if (bytes.length === 0) return {};
  switch (mediaType(contentType)) {
    case "application/json":
      return asObject(parseJson(bytes));
    // What browsers send when a page broke its own rules: a list, or one under its own name.
    case "application/reports+json":
      return { reports: parseJson(bytes) };
    case "application/csp-report":
      return { reports: [parseJson(bytes)] };
    case "application/x-www-form-urlencoded":
      return parseFormBytes(bytes, { repeated, what: "body" });
    default:
      throw new HttpRefused("unsupported_media_type");
  }
}

/** Every text of a body by its name. */
export function textsOf(body: unknown): Record<string, string> {
  const texts = Object.entries(body ?? {}).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts);
}

function mediaType(header: string | undefined): string | undefined {
  const [type = "", ...parameters] = (header ?? "").split(";");
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=");
    const isCharset = name.trim().toLowerCase() === "charset";
    if (isCharset && !/^"?utf-?8"?$/i.test(value.trim())) return undefined;
  }
  return type.trim().toLowerCase();
}

function asObject(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new BadBody("The body must be a JSON object.");
  return value as Record<string, unknown>;
}
