/**
 * The beginning of what a receiver answered, as text that may be kept and shown. It was written by
 * a stranger: no control characters, nothing that turns a line around, no credential, no card
 * number.
 */

import { scrub } from "../../kit/scrub.ts";

/** As many bytes are looked at, and as many characters kept. */
export const HEAD_LENGTH_MAX = 1024;

/** Control characters but for tab and line feed, bidirectional marks, separators, unassigned. */
const UNSAFE = /[^\P{C}\t\n]|[\p{Zl}\p{Zp}]/gu;

export function answerHead(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return "";
  // Never unpacked: that is how a small answer becomes a large one.
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    return "[An encoded body, not unpacked.]";
  const beginning = bytes.subarray(0, HEAD_LENGTH_MAX);
  // `stream` leaves out a character that the cut went through.
  const text = new TextDecoder().decode(beginning, { stream: true });
  const readable = scrub(text.replaceAll("\r\n", "\n").replace(UNSAFE, "\u{fffd}"));
  return [...readable].slice(0, HEAD_LENGTH_MAX).join("");
}
