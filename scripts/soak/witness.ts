/**
 * Somebody who writes down, during the run, rows that must never change again and ends that must
 * stay the end. Afterwards it can be told whether they did (a table that is only looked at when all
 * is over could have been rewritten meanwhile).
 */

import { setTimeout as sleep } from "node:timers/promises";
import { raw } from "sql-template-tag";
import type { Database } from "../../src/infra/db/database.ts";
import { type Queryable, sql } from "../../src/infra/db/query.ts";

/** What is only ever added to, by its key. */
export const APPEND_ONLY = {
  ledger_postings: "environment || ' ' || posting_id",
  ledger_transfers: "environment || ' ' || posting_id || ' ' || leg",
  audit_entries: "entry_id::text",
} as const;
/** Where something ends, and which states are an end. */
export const ENDS = {
  transactions: { key: "transaction_id", state: "status", ends: ["success", "failed", "error"] },
  withdrawals: {
    key: "transaction_id",
    state: "status",
    ends: ["failed", "cancelled", "returned"],
  },
  refunds: { key: "refund_id::text", state: "state", ends: ["refunded", "rejected"] },
  trusted_cards: { key: "card_uuid::text", state: "state", ends: ["deleted"] },
} as const;
export interface Witness {
  /** table → key → the row as it was first seen. */
  readonly rows: ReadonlyMap<keyof typeof APPEND_ONLY, ReadonlyMap<string, string>>;
  readonly ends: ReadonlyMap<keyof typeof ENDS, ReadonlyMap<string, string>>;
  stop(): Promise<void>;
}

const EVERY_MS = 4_000;
const ROWS_AT_ONCE = 150;
/** Of the pages of a table, chosen by chance: old rows and new ones, at the same price. */
const PAGES_PERCENT = 10;

export function startWitness(db: Database, pagesPercent = PAGES_PERCENT): Witness {
  const rows = new Map(namesOf(APPEND_ONLY).map((name) => [name, new Map<string, string>()]));
  const ends = new Map(namesOf(ENDS).map((name) => [name, new Map<string, string>()]));
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await look(db, pagesPercent, rows, ends).catch(() => {});
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    rows,
    ends,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function look(
  db: Queryable,
  pagesPercent: number,
  rows: Map<keyof typeof APPEND_ONLY, Map<string, string>>,
  ends: Map<keyof typeof ENDS, Map<string, string>>,
): Promise<void> {
  for (const [table, seen] of rows) {
    const found = await db.rows<{ key: string; text: string }>(sql`
      select ${raw(APPEND_ONLY[table])} as key, one::text as text from ${raw(table)} as one
      tablesample system (${pagesPercent}) limit ${ROWS_AT_ONCE}`);
    for (const { key, text } of found) if (!seen.has(key)) seen.set(key, text);
  }
  for (const [table, seen] of ends) {
    const { key, state, ends: last } = ENDS[table];
    const found = await db.rows<{ key: string; state: string }>(sql`
      select ${raw(key)} as key, ${raw(state)} as state from ${raw(table)}
        tablesample system (${pagesPercent})
      where ${raw(state)} = any (${[...last]})
      limit ${ROWS_AT_ONCE}`);
    for (const { key, state } of found) if (!seen.has(key)) seen.set(key, state);
  }
}

function namesOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[];
}
