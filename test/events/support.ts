/** What the tests of events share: events that stand for any change, and feeds read back. */

import assert from "node:assert/strict";
import type { Queryable } from "../../src/infra/db/query.ts";
import { sql } from "../../src/infra/db/query.ts";
import type { Tx } from "../../src/infra/db/transaction.ts";
import type { Environment } from "../../src/kit/vocabulary.ts";
import type { AfterNumbering, NewEvent } from "../../src/modules/events/event.ts";
import { recordEvent } from "../../src/modules/events/record-event.ts";

export const nothingMore = handingTo(async () => {});

/** What follows in the tx that numbers, for a test. */
export function handingTo(run: AfterNumbering["run"]): AfterNumbering {
  return { name: "test", wanted: sql`true`, run };
}

interface Feed {
  readonly accountNumber: string;
  readonly environment?: Environment;
}

/** One event, told apart from the others by `note`. */
export function note(
  tx: Tx,
  { accountNumber, environment = "live" }: Feed,
  text: string,
  more: Partial<NewEvent> = {},
): Promise<string> {
  return recordEvent(tx, {
    accountNumber,
    environment,
    event: "payment.created",
    resource: "TT-1",
    record: { note: text },
    ...more,
  });
}

export interface Told {
  readonly id: string;
  readonly sequence: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  readonly data: any;
}

/** What has a number, in order; that numbers have no gap is looked at every time. */
export async function feedOf(
  db: Queryable,
  { accountNumber, environment = "live" }: Feed,
): Promise<Told[]> {
  const rows = await db.rows<{ sequence: bigint; body: string }>(sql`
    select sequence, body from events
    where account_number = ${accountNumber} and environment = ${environment}
      and sequence is not null
    order by sequence`);
  const feed = rows.map(({ body }) => JSON.parse(body) as Told);
  assert.deepEqual(
    feed.map(({ sequence }) => sequence),
    rows.map((_row, index) => index + 1),
    "without a gap, from 1",
  );
  assert.deepEqual(
    rows.map(({ sequence }) => Number(sequence)),
    feed.map(({ sequence }) => sequence),
  );
  return feed;
}

export async function notesOf(db: Queryable, feed: Feed): Promise<string[]> {
  return (await feedOf(db, feed)).map(({ data }) => data.note);
}

export async function waitingCount(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from events where sequence is null`,
  );
  return count;
}
