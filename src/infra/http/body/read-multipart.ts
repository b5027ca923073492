/**
 * Uploads: reads a multipart body off the wire, counting every byte, and stops when there are more
 * than a good one can have. What is wrong with it comes back as a sentence and is not thrown: a
 * picture's state is judged before its content (Interface §3.1).
 */

import type { IncomingMessage } from "node:http";
import { Unavailable } from "../../../kit/errors.ts";
import { TooManyAttempts } from "../admit/rate-limiter.ts";
import type { Upload } from "../route.ts";
import { boundaryOf } from "./multipart-head.ts";
import { MALFORMED, parseMultipart, required } from "./parse-multipart.ts";
import { collectBytes, readBody, textsOf } from "./read-body.ts";

/** Boundaries, heads, other fields and margins, beside the file itself. */
const OVERHEAD_BYTES_MAX = 65_536;
/** Of all uploads that are being read: some two dozen of the largest. The rest come back later. */
const HELD_BYTES_MAX = 128 * 1024 * 1024;
/** Of those, what one sender may take up: three of the largest, or any number of small ones. */
const SENDER_BYTES_MAX = 16 * 1024 * 1024;

let heldBytes = 0;
const heldBySender = new Map<string, number>();

/** Counts bytes of a sender as held; the error says that there are too many. */
function hold(sender: string, bytes: number): Error | undefined {
  heldBytes += bytes;
  const held = (heldBySender.get(sender) ?? 0) + bytes;
  if (held === 0) heldBySender.delete(sender);
  else heldBySender.set(sender, held);
  if (held > SENDER_BYTES_MAX) return new TooManyAttempts(1);
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
  const { contentType, fileField, bytesMax: fileBytesMax, sender } = rules;
  const boundary = boundaryOf(contentType);
  const bytesMax = OVERHEAD_BYTES_MAX + (boundary === undefined ? 0 : fileBytesMax);
  const { body, isCut } = await collectBytes(raw, bytesMax, (bytes) => hold(sender, bytes));
  if (boundary !== undefined)
    return parseMultipart(body, boundary, { fileField, fileBytesMax, isCut });
  // Nothing that could hold a file; but its fields count, as they do everywhere.
  const isForm = /^\s*multipart\//i.test(contentType ?? "");
  const problem = isForm ? MALFORMED : required(fileField);
  return { fields: textsIn(contentType, body), problem, ...(isCut && { tooLarge: true }) };
}

function textsIn(contentType: string | undefined, body: Buffer): Record<string, string> {
  try {
    return textsOf(readBody(contentType, body));
  } catch {
    return {};
  }
}
