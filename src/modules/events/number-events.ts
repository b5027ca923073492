/**
 * Gives events their numbers: per account and environment, without a gap, in the order of commits
 * (Decision 0032).
 *
 * One at a time over all processes, by a lock that only this takes. Each turn takes what is
 * committed and waits, in the order of the places drawn at COMMIT. Whoever is not visible yet
 * commits later and gets a higher number; whoever had been answered before another one committed
 * has the lower place. Numbers, bodies and what follows from them are one tx, so a turn that is
 * cut off never happened.
 */

import assert from "node:assert/strict";
import type { Database } from "../../infra/db/database.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, bool, columns, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { EventName } from "./catalogue.ts";
import { type AfterNumbering, frameOf, type NumberedEvent } from "./event.ts";

export const EVENTS_AT_ONCE_MAX = 250;
/** A process that stops in the middle of its turn is thrown out, and loses its lock, after this. */
const TURN_IDLE_MAX = "3s";

const FEED = pick(tables.event_feeds, "account_number", "environment");

const WAITING = {
  ...pick(tables.events, "event_id", "account_number", "environment", "resource", "occurred_at"),
  event: word<EventName>(),
  only_endpoint_id: tables.events.only_endpoint_id,
};

type WaitingRow = Row<typeof WAITING>;

/** One turn; tells how many got a number: none when it is somebody else's turn. */
export async function numberEvents(db: Database, afterNumbering: AfterNumbering): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await takeTurn(tx))) return 0;
    const waiting = await takeWaiting(tx);
    if (waiting.length === 0) return 0;
    const numbered = await drawNumbers(tx, waiting);
    await writeBodies(tx, numbered);
    await afterNumbering(tx, numbered);
    return numbered.length;
  });
}

export async function isAnyWaiting(db: Queryable): Promise<boolean> {
  const { found } = await db.one(
    prepared(
      "find_events_to_number",
      sqlOf({ found: bool })`select exists (select from events_to_number) as found`,
    ),
  );
  return found;
}

/** A statement of its own: what is visible must be looked at after the turn has begun. */
async function takeTurn(tx: Tx): Promise<boolean> {
  const { is_mine } = await tx.one(
    prepared(
      "take_turn_to_number",
      sqlOf({ is_mine: bool, set_config: text })`
        select pg_try_advisory_xact_lock(hashtextextended('number events', 0)) as is_mine,
        set_config('idle_in_transaction_session_timeout', ${TURN_IDLE_MAX}, true)`,
    ),
  );
  return is_mine;
}

/** Here and below by keys, and with a plan that is kept however many wait (Decision 0061). */
function takeWaiting(tx: Tx): Promise<WaitingRow[]> {
  return tx.rows(
    prepared(
      "take_events_to_number",
      sqlOf(WAITING)`with taken as (
          delete from events_to_number where position = any(array(
            select position from events_to_number order by position limit ${EVENTS_AT_ONCE_MAX}))
          returning position, event_id
        )
        select one.* from taken join lateral (
          select ${columns(WAITING)} from events where events.event_id = taken.event_id limit 1
        ) as one on true
        order by position`,
    ),
  );
}

async function drawNumbers(tx: Tx, waiting: readonly WaitingRow[]): Promise<NumberedEvent[]> {
  const feeds = new Map<string, { row: WaitingRow; count: number }>();
  for (const row of waiting) {
    const feed = feeds.get(feedOf(row)) ?? { row, count: 0 };
    feed.count += 1;
    feeds.set(feedOf(row), feed);
  }
  const all = [...feeds.values()];
  const drawn = await tx.rows(
    prepared(
      "draw_event_numbers",
      sqlOf({
        ...FEED,
        last_sequence: bigint,
      })`insert into event_feeds as feed (account_number, environment, last_sequence)
        select * from unnest(${all.map(({ row }) => row.account_number)}::text[],
          ${all.map(({ row }) => row.environment)}::text[],
          ${all.map(({ count }) => count)}::bigint[])
        on conflict on constraint a_feed_is_of_an_account_and_environment
          do update set last_sequence = feed.last_sequence + excluded.last_sequence
        returning ${columns(FEED)}, last_sequence`,
    ),
  );
  const next = new Map<string, bigint>();
  for (const feed of drawn) {
    const count = feeds.get(feedOf(feed))?.count ?? 0;
    next.set(feedOf(feed), feed.last_sequence - BigInt(count) + 1n);
  }
  return waiting.map((row) => {
    const sequence = next.get(feedOf(row));
    assert(sequence !== undefined, "each feed of the turn has drawn its numbers");
    next.set(feedOf(row), sequence + 1n);
    return numberedOf(row, sequence);
  });
}

async function writeBodies(tx: Tx, numbered: readonly NumberedEvent[]): Promise<void> {
  const frames = numbered.map(frameOf);
  const written = await tx.run(
    prepared(
      "write_event_bodies",
      sql`with given as materialized (
          select * from unnest(
            (select ${numbered.map(({ eventId }) => eventId)}::text[]),
            (select ${numbered.map(({ sequence }) => sequence)}::bigint[]),
            (select ${frames.map(({ before }) => before)}::text[]),
            (select ${frames.map(({ after }) => after)}::text[])
          ) as given (event_id, sequence, before, after)
        )
        update events
        set sequence = given.sequence, body = before || record || after, record = null
        from given where events.event_id = given.event_id
          and events.event_id = any(array(select event_id from given))`,
    ),
  );
  assert.equal(written, numbered.length, "each event is numbered once");
}

function feedOf(of: Row<typeof FEED>): string {
  return `${of.account_number} ${of.environment}`;
}

function numberedOf(row: WaitingRow, sequence: bigint): NumberedEvent {
  return {
    eventId: row.event_id,
    accountNumber: row.account_number,
    environment: row.environment,
    event: row.event,
    resource: row.resource,
    sequence,
    occurredAt: row.occurred_at,
    onlyEndpointId: row.only_endpoint_id,
  };
}
