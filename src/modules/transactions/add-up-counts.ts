/**
 * Adds up what has been inserted and moved since the last time, so that counting stays cheap
 * (Decision 0027), and with it why payments failed (Decision 0088). Nothing waits for it: writers
 * only insert changes, readers add those that are left.
 *
 * It runs every hour, when a reader meets many changes, and again a few seconds after a run that
 * found some, so that a busy account is never far behind.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bool, int } from "../../infra/db/row.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";

const NAME = "add-up-counts";
const CHANGES_AT_ONCE = 5_000;
const AGAIN_AFTER_SECONDS = 10;
/** Readers add what is left row by row; more than this slows them down. */
const CHANGES_WORTH_A_RUN = 1_000;
/** Any constant will do, as long as nothing else locks it. */
const LOCK = 7_203_114_560;

export const addUpCountsJob = defineJob({
  name: NAME,
  everyHourAtMinute: 41,
  async run({ db }: Infra) {
    if ((await addUpCounts(db)) > 0) await runSoon(db, AGAIN_AFTER_SECONDS);
  },
});

/** Returns how many changes there were. */
export async function addUpCounts(db: Infra["db"]): Promise<number> {
  let all = 0;
  for (;;) {
    const some = await addUpSome(db);
    all += some;
    if (some < CHANGES_AT_ONCE) return all;
  }
}

/** For readers that met so many changes. */
export async function runWhenBehind(db: Queryable, changeCount: number): Promise<void> {
  if (changeCount >= CHANGES_WORTH_A_RUN) await runSoon(db, 0);
}

/** Under a key, so that one job waits however often it is added. */
async function runSoon(db: Queryable, seconds: number): Promise<void> {
  await addJob(db, NAME, {}, { key: NAME, inSeconds: seconds });
}

async function addUpSome(db: Infra["db"]): Promise<number> {
  return db.transaction(async (tx) => {
    // Two at once would only wait for each other's rows.
    const { mine } = await tx.one(sqlOf({ mine: bool })`
      select pg_try_advisory_xact_lock(${LOCK}) as mine`);
    if (!mine) return 0;
    const { taken } = await tx.one(sqlOf({ taken: int })`
      with taken as (
        delete from transaction_count_changes where ctid = any(array(
          select ctid from transaction_count_changes limit ${CHANGES_AT_ONCE}))
        returning *
      ), sums as (
        select account_number, environment, span, date_trunc(span, hour, 'UTC') as starts_at,
          status, currency, sum(change)
        from taken cross join unnest(array['hour', 'day', 'month']) as span
        group by 1, 2, 3, 4, 5, 6
      ), added as (
        insert into transaction_counts as counts
        select * from sums
        on conflict on constraint a_span_is_counted_once do update
          set transaction_count = counts.transaction_count + excluded.transaction_count
      ), failures as (
        insert into payment_failures as failures
        select account_number, environment, span, span_start(span, failed_at), currency,
          result_code(message), sum(change), max(message)
        from taken cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
        where failed_at is not null
        group by 1, 2, 3, 4, 5, 6
        on conflict on constraint a_reason_is_counted_once do update
          set failure_count = failures.failure_count + excluded.failure_count,
            message = excluded.message
      )
      select count(*)::int as taken from taken`);
    return taken;
  });
}
