/** Lines that wait to be written: so many, and so many bytes of them, and no more. */

import type { RequestLine } from "./request-line.ts";

export const LINES_MAX = 5_000;
const BYTES_MAX = 16 * 1024 * 1024;

export interface LineQueue {
  /** False where there is no room for it. */
  add(line: RequestLine): boolean;
  /** The oldest, at most so many. */
  take(max: number): RequestLine[];
  length(): number;
}

export function createLineQueue(): LineQueue {
  const waiting: RequestLine[] = [];
  let bytes = 0;
  return {
    add(line) {
      if (waiting.length >= LINES_MAX || bytes + line.bytes > BYTES_MAX) return false;
      waiting.push(line);
      bytes += line.bytes;
      return true;
    },
    take(max) {
      const taken = waiting.splice(0, max);
      for (const line of taken) bytes -= line.bytes;
      return taken;
    },
    length: () => waiting.length,
  };
}
