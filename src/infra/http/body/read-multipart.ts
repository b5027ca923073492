/**
 * Uploads: reads a multipart body off the wire, counting every byte, and stops when there are more
 * than a good one can have. What is wrong with it comes back as a sentence and is not thrown: a
 * picture's state is judged before its content (Interface §3.1).
 */

import type { IncomingMessage } from "node:http";
import { Unavailable } from "../../../kit/errors.ts";
import { HttpRefused } from "../render-error.ts";
import { boundaryOf } from "./multipart-head.ts";
import { parseMultipart, required, type Upload } from "./parse-multipart.ts";

/** Boundaries, heads, other fields and margins, beside the file itself. */
const OVERHEAD_BYTES_MAX = 65_536;
/** Of all uploads that are being read: some two dozen of the largest. The rest come back later. */
const HELD_BYTES_MAX = 128 * 1024 * 1024;

let heldBytes = 0;

export interface UploadRules {
  readonly contentType: string | undefined;
  readonly fileField: string;
  readonly bytesMax: number;
}

/** Rejects only when the client goes away, or when too much is being uploaded at once. */
export async function readMultipart(raw: IncomingMessage, rules: UploadRules): Promise<Upload> {
  const { fileField, bytesMax: fileBytesMax } = rules;
  const boundary = boundaryOf(rules.contentType);
  if (boundary === undefined) return withoutForm(raw, rules);
  const { body, isCut } = await collect(raw, fileBytesMax + OVERHEAD_BYTES_MAX);
  return parseMultipart(body, boundary, { fileField, fileBytesMax, isCut });
}

/** Nothing that could hold a file. */
async function withoutForm(
  raw: IncomingMessage,
  { contentType, fileField }: UploadRules,
): Promise<Upload> {
  const { isCut } = await collect(raw, OVERHEAD_BYTES_MAX);
  const isForm = /^\s*multipart\//i.test(contentType ?? "");
  const problem = isForm ? "The body is not valid multipart form data." : required(fileField);
  return { fields: {}, problem, ...(isCut ? { tooLarge: true } : {}) };
}

function collect(
  raw: IncomingMessage,
  bytesMax: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer; isCut: boolean }>();
  const chunks: Buffer[] = [];
  let bytes = 0;

  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    heldBytes += chunk.length;
    if (heldBytes > HELD_BYTES_MAX)
      return settle(() => reject(new Unavailable({ cause: "too many uploads at once" })));
    if (bytes > bytesMax) settle(() => resolve({ body: Buffer.concat(chunks), isCut: true }));
  };
  const onEnd = () => settle(() => resolve({ body: Buffer.concat(chunks), isCut: false }));
  // After `end` it is too late to matter; before, nobody is left to hear the answer.
  const onGone = () =>
    settle(() => reject(new HttpRefused(400, { cause: "the client went away in mid-body" })));
  const settle = (tell: () => void) => {
    raw.pause();
    raw.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
    // A request that is cut off later still says so, and an error nobody hears ends the process.
    raw.on("error", () => {});
    heldBytes -= bytes;
    tell();
  };
  // It may have gone before anybody listened.
  if (raw.destroyed) onGone();
  else raw.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  return promise;
}
