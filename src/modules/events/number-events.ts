/**
 * Numbers events, per account and environment, without a gap and in the order of commits (Decision
 * 0032).
 *
 * One process at a time does it, under an advisory lock. Each turn takes the committed events that
 * wait, in the order of the positions drawn at COMMIT. An event that is not visible yet commits
 * later and gets a higher number; one whose writer was answered before another commit began has the
 * lower position. Numbers, bodies and what follows from them are one tx: an interrupted turn leaves
 * nothing.
 */

import assert from "node:assert/strict";
import type { Infra } from "../../infra/context.ts";
import type { Database } from "../../infra/db/database.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { createLoop, type Loop } from "../../infra/jobs/loop.ts";
import { inTrace } from "../../kit/trace.ts";
import { type AfterNumbering, frameOf, type NumberedEvent, WAITING } from "./event.ts";

export const EVENTS_AT_ONCE_MAX = 250;
/** PostgreSQL ends the session of a process that hangs in its turn, which frees the lock. */
const TURN_IDLE_MAX = "3s";

const PAUSE_MS = { busy: 3, idle: 250, trouble: 1_000 };

const FEED = pick(tables.event_feeds, "account_number", "environment", "last_sequence");

type WaitingRow = Row<typeof WAITING>;

/**
 * Runs in every process that does background work; any of them may die. It polls, because NOTIFY
 * would make all commits queue behind one lock: often while there is work, otherwise less and less.
 */
export function createSequencer(
  { db, log }: Pick<Infra, "db" | "log">,
  {
    afterNumbering,
    whenNumbered = () => {},
  }: {
    afterNumbering: AfterNumbering;
    /** Some were: called once their tx has ended. */
    whenNumbered?: () => void;
  },
): Loop {
  let pauseMs = PAUSE_MS.busy;

  async function nextPause(): Promise<number> {
    try {
      const count = (await isAnyWaiting(db))
        ? await inTrace("number events", {}, () => numberEvents(db, afterNumbering))
        : 0;
      if (count > 0) whenNumbered();
      if (count === EVENTS_AT_ONCE_MAX) return 0;
      if (count > 0) return PAUSE_MS.busy;
      return Math.min(PAUSE_MS.idle, Math.max(PAUSE_MS.busy, 2 * pauseMs));
    } catch (err) {
      log.error({ err }, "events could not be numbered; they wait");
      return PAUSE_MS.trouble;
    }
  }

  return createLoop(async () => {
    pauseMs = await nextPause();
    return pauseMs;
  });
}

/** One turn. Returns how many were numbered: none while another process has the turn. */
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

/** A statement of its own: the snapshot of the next one must be taken after the lock. */
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

/** Here and below by keys, with a plan that fits any number of events (Decision 0061). */
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
  const byFeed = Map.groupBy(waiting, feedOf);
  const feeds = [...byFeed.values()].map((rows) => ({ ...rows[0], count: rows.length }));
  const types = { account_number: "text", environment: "text", count: "bigint" };
  const drawn = await tx.rows(
    prepared(
      "draw_event_numbers",
      sqlOf(FEED)`insert into event_feeds as feed (account_number, environment, last_sequence)
        select * from ${unnest("wanted", feeds, types)}
        on conflict on constraint a_feed_is_of_an_account_and_environment
          do update set last_sequence = feed.last_sequence + excluded.last_sequence
        returning ${columns(FEED)}`,
    ),
  );
  const next = new Map<string, bigint>();
  for (const feed of drawn) {
    const count = byFeed.get(feedOf(feed))?.length ?? 0;
    next.set(feedOf(feed), feed.last_sequence - BigInt(count) + 1n);
  }
  return waiting.map((row) => {
    const sequence = next.get(feedOf(row));
    assert(sequence !== undefined, "each feed of the turn has drawn its numbers");
    next.set(feedOf(row), sequence + 1n);
    return { ...row, sequence };
  });
}

function feedOf(row: { account_number: string; environment: string }): string {
  return `${row.account_number} ${row.environment}`;
}

async function writeBodies(tx: Tx, numbered: readonly NumberedEvent[]): Promise<void> {
  const rows = numbered.map((event) => ({ ...event, ...frameOf(event) }));
  const types = { event_id: "text", sequence: "bigint", before: "text", after: "text" };
  const written = await tx.run(
    prepared(
      "write_event_bodies",
      sql`with numbered as materialized (
          select * from ${unnest("numbered", rows, types, { anyLength: true })}
        )
        update events
        set sequence = numbered.sequence, body = before || record || after, record = null
        from numbered where events.event_id = numbered.event_id
          and events.event_id = any(array(select event_id from numbered))`,
    ),
  );
  assert.equal(written, numbered.length, "each event is numbered once");
}
