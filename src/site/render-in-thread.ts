/**
 * What is too heavy to make between two payments: the pages of the guides and of the reference, the
 * examples of errors and the index of the search. Each is made on its first request by a thread
 * (Decision 0103), so that the event loop goes on, and kept.
 */

import { makeInThread } from "./make-in-thread.ts";
import type { PublicText } from "./page.ts";
import type { RenderJobs } from "./render-thread.ts";

const THREAD = new URL("./render-thread.ts", import.meta.url);

type Input<Name extends keyof RenderJobs> = Parameters<RenderJobs[Name]>[0];

export function renderInThread<Name extends keyof RenderJobs>(
  name: Name,
  given: Input<Name>,
): Promise<ReturnType<RenderJobs[Name]>> {
  return makeInThread(THREAD, { name, given });
}

/** Between threads a Buffer becomes an array of bytes. */
export function withBuffers(pages: ReadonlyMap<string, PublicText>): Map<string, PublicText> {
  const buffer = (bytes: Uint8Array) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Map(
    [...pages].map(([name, page]) => [
      name,
      { ...page, plain: buffer(page.plain), packed: buffer(page.packed) },
    ]),
  );
}
