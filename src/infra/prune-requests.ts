/** Forgets idempotency rows past their promise and rate-limit windows that nobody uses any more. */

import type { Infra } from "./context.ts";
import { sql } from "./db/query.ts";
import { defineJob } from "./jobs/job.ts";

const ROWS_AT_ONCE = 1_000;
/** The promise is 24 hours; a week is kind to a client that was down over a weekend. */
const IDEMPOTENCY_KEPT = "7 days";
const WINDOW_KEPT = "10 minutes";

export const pruneRequests = defineJob({
  name: "prune-requests",
  everyHourAtMinute: 41,
  async run(ctx: Infra) {
    let deleted: number;
    do {
      deleted = await ctx.db.run(sql`
        delete from idempotency_keys where ctid in (
          select ctid from idempotency_keys
          where created_at < app_now() - ${IDEMPOTENCY_KEPT}::interval limit ${ROWS_AT_ONCE})`);
    } while (deleted === ROWS_AT_ONCE);
    await ctx.db.run(sql`
      delete from rate_limit_windows
      where used_at < clock_timestamp() - ${WINDOW_KEPT}::interval`);
  },
});
