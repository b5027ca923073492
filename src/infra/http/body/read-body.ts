/**
 * Bodies: JSON and form data are equal on every route, nothing else is read but what browsers
 * report of our pages. The media type is compared exactly, after its parameters are cut off; a
 * charset other than UTF-8 is refused, because the bytes would mean something else.
 */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { HttpRefused } from "../http-refused.ts";
import { BadBody } from "./bad-body.ts";
import { parseFormBytes } from "./parse-form.ts";
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
export function receiveBody(raw: IncomingMessage): Promise<Record<string, unknown>> | undefined {
  if (!hasBody(raw.headers)) return undefined;
  return receiveBytes(raw).then((bytes) => readBody(raw.headers["content-type"], bytes));
}

function receiveBytes(raw: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const cutOff = () =>
    reject(new HttpRefused("malformed_request", { cause: "the body was cut off" }));
  if (Number(raw.headers["content-length"]) > BODY_BYTES_MAX)
    reject(new HttpRefused("body_too_large"));
  // The client may have gone while it was admitted; then no event follows.
  else if (raw.destroyed) cutOff();
  else
    raw
      .on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= BODY_BYTES_MAX) chunks.push(chunk);
        else reject(new HttpRefused("body_too_large"));
      })
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", cutOff);
  return promise;
}

export function readBody(contentType: string | undefined, bytes: Buffer): Record<string, unknown> {
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
      return parseFormBytes(bytes, { repeated: "last-wins", what: "body" });
    default:
      throw new HttpRefused("unsupported_media_type");
  }
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
