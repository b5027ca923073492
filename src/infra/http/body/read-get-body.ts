/**
 * The body of a GET, which Fastify does not read. Some clients send the fields of every method in
 * the body; where a route takes an `environment`, ignoring it would answer with the other
 * environment's data (Decision 0074). A body of another type is ignored, as on every other GET.
 */

import type { FastifyRequest } from "fastify";
import { HttpRefused } from "../serve/render-error.ts";
import { BODY_BYTES_MAX, readBody } from "./read-body.ts";

const READ_TYPES = /^\s*application\/(?:json|x-www-form-urlencoded)\b/i;

export function hasReadableBody({ headers }: FastifyRequest): boolean {
  const isSent =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return isSent && READ_TYPES.test(headers["content-type"] ?? "");
}

export async function readGetBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of request.raw) {
    byteCount += chunk.length;
    if (byteCount > BODY_BYTES_MAX) throw new HttpRefused("body_too_large");
    chunks.push(chunk);
  }
  return readBody(request.headers["content-type"], Buffer.concat(chunks));
}
