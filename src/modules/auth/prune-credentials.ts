/**
 * Forgets credentials that can never work again, a few at a time, so that the tables stay small.
 */

import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { AuthContext } from "./context.ts";
import { FAILURES_COUNT_FOR_SECONDS } from "./sign-in-throttle.ts";

const ROWS_AT_ONCE = 1_000;
/** Long enough to answer "what happened to my sign-in?" the next day. */
const KEPT_AFTER_END = "7 days";

export const pruneCredentials = defineJob({
  name: "prune-credentials",
  everyHourAtMinute: 17,
  async run(ctx: AuthContext) {
    await repeat(() =>
      ctx.db.run(sql`
        delete from grants where grant_id in (
          select grant_id from grants where expires_at < app_now() - ${KEPT_AFTER_END}::interval
          limit ${ROWS_AT_ONCE})`),
    );
    await repeat(() =>
      ctx.db.run(sql`
        delete from sign_in_failures where ctid in (
          select ctid from sign_in_failures
          where failed_at < app_now() - make_interval(secs => ${FAILURES_COUNT_FOR_SECONDS})
          limit ${ROWS_AT_ONCE})`),
    );
    await ctx.db.run(sql`
      delete from signing_keys where retired_at < app_now() - ${KEPT_AFTER_END}::interval`);
  },
});

async function repeat(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) === ROWS_AT_ONCE);
}
