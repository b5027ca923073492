/**
 * Adds the partitions of the request log before their days begin, and drops those of days that are
 * over for a week (Decision 0087). A line of a day without a partition is kept all the same, and
 * moved when the partition is added.
 */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";

/** How long a request can be looked up. */
export const KEPT_DAYS = 7;
const DAYS_AHEAD = 2;

export const keepRequestDays = defineJob({
  name: "keep-request-days",
  everyHourAtMinute: 23,
  async run({ db }: Infra) {
    // Each day by itself, so that the locks of one are gone before the next.
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++)
      await db.run(sql`
        select add_request_day((app_now() at time zone 'UTC')::date + ${ahead}::int)`);
    await db.run(sql`
      select drop_request_days((app_now() at time zone 'UTC')::date - ${KEPT_DAYS}::int)`);
    await deleteInBatches(
      db,
      sql`logged_requests_other`,
      sql`at < app_now() - make_interval(days => ${KEPT_DAYS})`,
    );
  },
});
