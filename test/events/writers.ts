/**
 * 32 writers on one account over several pools: some commit at once, some long after they wrote,
 * some never. What they saw is enough to tell whether numbers follow commits.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/infra/db/database.ts";
import { feedOf, note } from "./support.ts";

export const WRITERS = 32;
/** Between writing and committing. */
const DELAYS_MS = [0, 0, 0, 5, 40];
const ABORTED_EVERY = 7;

export interface Written {
  readonly id: string;
  /** When COMMIT was about to be sent, and when its answer was there. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

export async function writeAtOnce(
  pools: readonly Database[],
  accountNumber: string,
  options: { rounds: number; onWritten?: (count: number) => void },
): Promise<Written[]> {
  const written: Written[] = [];
  async function writer(turn: number): Promise<void> {
    const db = pools[turn % pools.length] as Database;
    for (let round = 0; round < options.rounds; round++) {
      const step = turn * options.rounds + round;
      let sentAt = 0;
      const work = db.transaction(async (tx) => {
        const id = await note(tx, { accountNumber }, `${step}`);
        await sleep(DELAYS_MS[step % DELAYS_MS.length] ?? 0);
        if (step % ABORTED_EVERY === 0) throw new Error("given up");
        sentAt = performance.now();
        return id;
      });
      const id = await work.catch(() => undefined);
      if (id === undefined) continue;
      written.push({ id, sentAt, answeredAt: performance.now() });
      options.onWritten?.(written.length);
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, turn) => writer(turn)));
  return written;
}

/** Each once, no gap; and who had been answered before another one committed comes before it. */
export async function expectCommitOrder(
  db: Database,
  accountNumber: string,
  written: readonly Written[],
): Promise<void> {
  const feed = await feedOf(db, { accountNumber });
  const sequenceOf = new Map(feed.map(({ id, sequence }) => [id, sequence]));
  assert.deepEqual([feed.length, sequenceOf.size], [written.length, written.length]);
  const missing = written.filter(({ id }) => !sequenceOf.has(id));
  assert.deepEqual(missing, []);
  let comparedCount = 0;
  for (const one of written)
    for (const other of written)
      if (one.answeredAt < other.sentAt) {
        comparedCount += 1;
        const [before = 0, behind = 0] = [sequenceOf.get(one.id), sequenceOf.get(other.id)];
        assert(before < behind, `${one.id} was answered before ${other.id} committed`);
      }
  assert(comparedCount > 10_000, `only ${comparedCount} pairs were one after the other`);
}
