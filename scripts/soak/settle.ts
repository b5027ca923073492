/**
 * Waits, after the last fault, until nothing is under way any more, and tells how long it took.
 *
 * What waits by design (a customer's three minutes, an endpoint's next try) is not waited for by
 * the wall: as soon as nothing is due, the clock is moved to what comes next, however far that is
 * (the tenth try of a webhook waits for a day). The time that counts is the wall's. Sign-ins grow
 * old on the way: every client signs in anew afterwards.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { moveClock } from "../../testkit/move-clock.ts";
import type { Acquirer } from "./acquirer.ts";

export interface Settled {
  readonly seconds: number;
  /** By how much the clock was moved on. */
  readonly movedSeconds: number;
  /** What was still under way at the end. */
  readonly left: Readonly<Record<string, number>>;
}

export const SETTLE_SECONDS_MAX = 60;
const GIVE_UP_SECONDS = 180;
const LOOK_MS = 500;
/** Not one by one: a hundred open checkouts end at a hundred moments. */
const MOVE_SECONDS_MIN = 60;
/** What is due may be in somebody's hands: it does not hold the clock up for longer than this. */
const MOVE_MS = 2_000;
/** But then it is not moved far: what is under way would seem to have taken days. */
const MOVE_SECONDS_MAX_WHILE_DUE = 1_800;

interface Waiting {
  /** By `performance.now()`. */
  readonly lastFaultAt: number;
  readonly giveUpSeconds?: number;
  say(line: string): void;
  /** Whose clock goes with ours. */
  readonly acquirer?: Acquirer;
}

export async function settle(
  db: Database,
  { lastFaultAt, giveUpSeconds = GIVE_UP_SECONDS, say, acquirer }: Waiting,
): Promise<Settled> {
  let movedSeconds = 0;
  let movedAt = 0;
  let saidAt = 0;
  for (;;) {
    const { left, isAnyDue, next } = await lookAround(db);
    const seconds = (performance.now() - lastFaultAt) / 1_000;
    const isOver = Object.keys(left).length === 0;
    if (isOver || seconds > giveUpSeconds) return { seconds, movedSeconds, left };
    if (seconds - saidAt >= 5) {
      saidAt = seconds;
      say(`settling for ${Math.round(seconds)} s: ${JSON.stringify(left)}`);
    }
    const isIdle = !isAnyDue || performance.now() - movedAt > MOVE_MS;
    // With nothing to come, moving it would only make credentials old.
    if (isIdle && next !== undefined) {
      const far = Math.max(Math.ceil(next.inSeconds), MOVE_SECONDS_MIN);
      const wait = isAnyDue ? Math.min(far, MOVE_SECONDS_MAX_WHILE_DUE) : far;
      if (wait > MOVE_SECONDS_MAX_WHILE_DUE)
        say(`nothing is due: the clock goes on by ${(wait / 3_600).toFixed(1)} h to ${next.what}`);
      await moveClock(db, { seconds: wait });
      await acquirer?.control.advance(wait);
      movedSeconds += wait;
      movedAt = performance.now();
    }
    await sleep(LOOK_MS);
  }
}

/** Of two databases that were waited for together. */
export function bothOf(one: Settled, other: Settled): Settled {
  return {
    seconds: Math.max(one.seconds, other.seconds),
    movedSeconds: Math.max(one.movedSeconds, other.movedSeconds),
    left: { ...one.left, ...other.left },
  };
}

interface Around {
  readonly left: Record<string, number>;
  readonly isAnyDue: boolean;
  /** The next of what is not due yet. */
  readonly next: { readonly what: string; readonly inSeconds: number } | undefined;
}

async function lookAround(db: Database): Promise<Around> {
  const rows = await db.rows<{ what: string; count: number; due: number; next: number | null }>(sql`
    select what, count(*)::int as count, count(*) filter (where at <= app_now())::int as due,
      extract(epoch from min(at) filter (where at > app_now()) - app_now())::float8 as next
    from (
      select 'events without a number' as what, app_now() as at from events_to_number
      union all select 'deliveries to make', app_now() from webhook_deliveries_to_make
      union all select 'open checkouts', expires_at from checkout_sessions where state = 'open'
      union all select 'undecided cards', greatest(next_ask_at, leased_until)
        from checkout_attempts where next_ask_at is not null
      union all select 'refunds', greatest(next_try_at, leased_until) from refunds
        where ended_at is null
      union all select 'withdrawals to send', dispatch_at from withdrawals
        where status = 'pending'
      union all select 'payouts', greatest(next_ask_at, leased_until) from payouts where is_open
      union all select 'amounts to return', next_return_at from card_checks
        where next_return_at is not null
      union all select 'receipts to queue', next_try_at from receipts_due
      union all select 'notifications to queue', next_try_at from notifications_due
      union all select 'mails', next_try_at from mails where state = 'waiting'
      -- One at work may be that of a killed worker, which nobody waits for.
      union all select 'reset links', app_now() from graphile_worker.jobs
        where task_identifier = 'send-reset-link' and locked_at is null and attempts < max_attempts
      union all select 'webhooks', greatest(due_at, rests_until)
        from webhook_deliveries join webhook_endpoints using (endpoint_id)
        where state = 'waiting'
    ) as under_way
    group by what`);
  const coming = rows.flatMap(({ what, next }) =>
    next === null ? [] : [{ what, inSeconds: next }],
  );
  return {
    left: Object.fromEntries(rows.map(({ what, count }) => [what, count])),
    isAnyDue: rows.some(({ due }) => due > 0),
    next: coming.sort((a, b) => a.inSeconds - b.inSeconds)[0],
  };
}
