/**
 * Numbers events, per account and environment, without a gap and in the order of commits (Decision
 * 0032).
 *
 * One process at a time does it, under an advisory lock. Each turn takes the committed events that
 * wait, in the order of the positions drawn at COMMIT. An event that is not visible yet commits
 * later and gets a higher number; one whose writer was answered before another commit began has the
 * lower position. Numbers, bodies and what follows from them are one tx: an interrupted turn leaves
 * nothing. What members may want a mail about is noted with them (Decision 0143).
 */

import assert from "node:assert/strict";
import type { Infra } from "../../infra/context.ts";
import type { Database } from "../../infra/db/database.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, int, outer, type Row, text } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { createLoop, type Loop } from "../../infra/jobs/loop.ts";
import { inTrace } from "../../kit/trace.ts";
import { type AfterNumbering, BODY, NUMBERED, type NumberedEvent } from "./event.ts";

export const EVENTS_AT_ONCE_MAX = 250;
/** PostgreSQL ends the session of a process that hangs in its turn, which frees the lock. */
const TURN_IDLE_MAX = "3s";

const PAUSE_MS = { busy: 3, idle: 250, trouble: 1_000 };

/** Without an event where nobody wants one of them. */
const ROW = { numbered_count: int, written_count: int, ...outer(NUMBERED) };

/**
 * Runs in every process that does background work; any of them may die. It polls, because NOTIFY
 * would make all commits queue behind one lock: often while there is work, otherwise less and less.
 */
export function createSequencer(
  { db, log }: Pick<Infra, "db" | "log">,
  {
    afterNumbering,
    whenTold = () => {},
  }: {
    afterNumbering: AfterNumbering;
    /** Something follows from some of them: called once their tx has ended. */
    whenTold?: () => void;
  },
): Loop {
  let pauseMs = PAUSE_MS.busy;

  async function nextPause(): Promise<number> {
    try {
      const { count, toldCount } = (await isAnyWaiting(db))
        ? await inTrace("number events", {}, () => numberEvents(db, afterNumbering))
        : NONE;
      if (toldCount > 0) whenTold();
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

interface Turn {
  readonly count: number;
  /** Of those, how many were wanted afterwards. */
  readonly toldCount: number;
}
const NONE: Turn = { count: 0, toldCount: 0 };

/** One turn. None are numbered while another process has the turn. */
export async function numberEvents(db: Database, after: AfterNumbering): Promise<Turn> {
  return db.transaction(async (tx) => {
    if (!(await takeTurn(tx))) return NONE;
    const rows = await tx.rows(prepared(`number-events-${after.name}`, numberStatement(after)));
    const { numbered_count: count = 0, written_count: writtenCount = 0 } = rows[0] ?? {};
    assert.equal(writtenCount, count, "each event is numbered once");
    const told = rows.flatMap(eventOf);
    if (told.length > 0) await after.run(tx, told);
    return { count, toldCount: told.length };
  });
}

export async function isAnyWaiting(db: Queryable): Promise<boolean> {
  const { found } = await db.one(
    prepared(
      "find-events-to-number",
      sqlOf({ found: bool })`select exists (select from events_to_number) as found`,
    ),
  );
  return found;
}

/** A statement of its own: the snapshot of the next one must be taken after the lock. */
async function takeTurn(tx: Tx): Promise<boolean> {
  const { is_mine } = await tx.one(
    prepared(
      "take-turn-to-number",
      sqlOf({ is_mine: bool, set_config: text })`
        select pg_try_advisory_xact_lock(hashtextextended('number events', 0)) as is_mine,
        set_config('idle_in_transaction_session_timeout', ${TURN_IDLE_MAX}, true)`,
    ),
  );
  return is_mine;
}

/**
 * All of it in one statement: only events that something follows from pass through this process. By
 * keys, with a plan that fits any number of events (Decision 0061). Nobody else writes
 * `event_feeds`, so what it was before is the base.
 */
function numberStatement({ wanted, noted = sql`false` }: AfterNumbering) {
  return sqlOf(ROW)`
    with taken as (
      delete from events_to_number where position = any(array(
        select position from events_to_number order by position limit ${EVENTS_AT_ONCE_MAX}))
      returning position, event_id
    ), waiting as materialized (
      select taken.position, one.* from taken join lateral (
        select event_id, account_number, environment from events
        where events.event_id = taken.event_id limit 1
      ) as one on true
    ), numbered as materialized (
      select event_id, account_number, environment,
        row_number() over (partition by account_number, environment order by position)
          + coalesce((
            select last_sequence from event_feeds as feed
            where feed.account_number = waiting.account_number
              and feed.environment = waiting.environment), 0) as sequence
      from waiting
    ), drawn as (
      insert into event_feeds (account_number, environment, last_sequence)
      select account_number, environment, max(sequence) from numbered group by 1, 2
      on conflict on constraint a_feed_is_of_an_account_and_environment
        do update set last_sequence = excluded.last_sequence
    ), written as (
      update events set sequence = numbered.sequence, body = ${BODY}, record = null
      from numbered where events.event_id = numbered.event_id
        and events.event_id = any(array(select event_id from numbered))
      returning ${columns(NUMBERED, "events")}
    ), noted as (
      insert into notifications_due (event_id)
      select event_id from written as one where ${noted}
    )
    select numbered_count, written_count, one.*
    from (select count(*)::int as numbered_count from numbered) as drawn_ones,
      (select count(*)::int as written_count from written) as written_ones
      left join (select * from written as one where ${wanted}) as one on true
    order by account_number, environment, sequence`;
}

function eventOf({
  numbered_count: _n,
  written_count: _w,
  ...event
}: Row<typeof ROW>): NumberedEvent[] {
  // All of its columns are there, or none.
  return event.event_id === null ? [] : [event as NumberedEvent];
}
