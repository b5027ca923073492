/**
 * Bodies: JSON and form data are equal on every route, nothing else is read but what browsers
 * report of our pages. The media type is compared exactly, after its parameters are cut off; a
 * charset other than UTF-8 is refused, because the bytes would mean something else.
 */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpRefused } from "../serve/render-error.ts";
import { BadBody } from "./bad-body.ts";
import { parseFormBytes } from "./parse-form.ts";
import { parseJson } from "./parse-json.ts";

export const BODY_BYTES_MAX = 65_536;

export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, bytes: Buffer) =>
      readBody(request.headers["content-type"], bytes),
  );
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
