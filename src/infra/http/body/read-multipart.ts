/**
 * Uploads: reads a multipart body off the wire, counting every byte, and stops when there are more
 * than a good one can have. What is wrong with it comes back as a sentence and is not thrown: a
 * picture's state is judged before its content (Interface §3.1).
 */

import type { IncomingMessage } from "node:http";
import { Unavailable } from "../../../kit/errors.ts";
import { TooManyAttempts } from "../admit/rate-limiter.ts";
import { HttpRefused } from "../http-refused.ts";
import type { Upload } from "../route.ts";
import { boundaryOf } from "./multipart-head.ts";
import { MALFORMED, parseMultipart, required } from "./parse-multipart.ts";
import { readBody } from "./read-body.ts";

/** Boundaries, heads, other fields and margins, beside the file itself. */
const OVERHEAD_BYTES_MAX = 65_536;
/** Of all uploads that are being read: some two dozen of the largest. The rest come back later. */
const HELD_BYTES_MAX = 128 * 1024 * 1024;
/** Of those, what one sender may take up: three of the largest, or any number of small ones. */
const SENDER_BYTES_MAX = 16 * 1024 * 1024;

let heldBytes = 0;
const heldBySender = new Map<string, number>();

function hold(sender: string, bytes: number): void {
  heldBytes += bytes;
  const held = (heldBySender.get(sender) ?? 0) + bytes;
  if (held === 0) heldBySender.delete(sender);
  else heldBySender.set(sender, held);
}

function refusalOfMore(sender: string): Error | undefined {
  if ((heldBySender.get(sender) ?? 0) > SENDER_BYTES_MAX) return new TooManyAttempts(1);
  if (heldBytes > HELD_BYTES_MAX) return new Unavailable({ cause: "too many uploads at once" });
  return undefined;
}

export interface FileRules {
  readonly contentType: string | undefined;
  readonly fileField: string;
  readonly bytesMax: number;
  /** Whose upload it is. */
  readonly sender: string;
}

/** Rejects only when the client goes away, or when too much is being uploaded at once. */
export async function readMultipart(raw: IncomingMessage, rules: FileRules): Promise<Upload> {
  const { fileField, bytesMax: fileBytesMax } = rules;
  const boundary = boundaryOf(rules.contentType);
  if (boundary === undefined) return withoutForm(raw, rules);
  const { body, isCut } = await collect(raw, rules.sender, fileBytesMax + OVERHEAD_BYTES_MAX);
  return parseMultipart(body, boundary, { fileField, fileBytesMax, isCut });
}

/** Nothing that could hold a file; but its fields count, as they do everywhere. */
async function withoutForm(
  raw: IncomingMessage,
  { contentType, fileField, sender }: FileRules,
): Promise<Upload> {
  const { body, isCut } = await collect(raw, sender, OVERHEAD_BYTES_MAX);
  const isForm = /^\s*multipart\//i.test(contentType ?? "");
  const problem = isForm ? MALFORMED : required(fileField);
  return { fields: textsIn(contentType, body), problem, ...(isCut ? { tooLarge: true } : {}) };
}

function textsIn(contentType: string | undefined, body: Buffer): Record<string, string> {
  try {
    const fields = Object.entries(readBody(contentType, body));
    return Object.fromEntries(fields.filter((one): one is [string, string] => isText(one[1])));
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function collect(
  raw: IncomingMessage,
  sender: string,
  bytesMax: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer; isCut: boolean }>();
  const chunks: Buffer[] = [];
  let bytes = 0;

  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    hold(sender, chunk.length);
    const refusal = refusalOfMore(sender);
    if (refusal !== undefined) return settle(() => reject(refusal));
    if (bytes > bytesMax) settle(() => resolve({ body: Buffer.concat(chunks), isCut: true }));
  };
  const onEnd = () => settle(() => resolve({ body: Buffer.concat(chunks), isCut: false }));
  // After `end` it is too late to matter; before, there is no client left to answer.
  const onGone = () =>
    settle(() =>
      reject(new HttpRefused("malformed_request", { cause: "the client went away in mid-body" })),
    );
  const settle = (tell: () => void) => {
    raw.pause();
    raw.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
    // A request may still be cut off later, and an error without a listener ends the process.
    raw.on("error", () => {});
    hold(sender, -bytes);
    tell();
  };
  // It may have gone before anybody listened.
  if (raw.destroyed) onGone();
  else raw.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  return promise;
}
