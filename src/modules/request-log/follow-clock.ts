/**
 * What a clock elsewhere said when `performance.now()` was 0. Each look at it tells that within the
 * time that the look took. What it told is kept while it fits: else the lines of two batches would
 * stand in the wrong order where one look took longer than the other.
 */

/** What is read has no smaller part. */
const STEP_MS = 1;

export function followClock(look: () => Promise<Date>): () => Promise<number> {
  let kept: number | undefined;
  return async () => {
    const askedAt = performance.now();
    const told = (await look()).getTime();
    const earliest = told - performance.now();
    const latest = told + STEP_MS - askedAt;
    kept = Math.min(Math.max(kept ?? earliest, earliest), latest);
    return kept;
  };
}
