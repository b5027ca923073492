/**
 * Adds the partitions of the request log before their days begin, and drops those of days that are
 * over for as many days as are kept (Decisions 0087 and 0122). A line of a day without a partition
 * is kept all the same, and moved when the partition is added.
 */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";

/** How long a request can be looked up at least; a setting may say longer. */
export const KEPT_DAYS_MIN = 7;
const DAYS_AHEAD = 2;

export const keepRequestDays = defineJob({
  name: "keep-request-days",
  everyHourAtMinute: 23,
  async run({ db, config }: Infra) {
    const { requestLogDays: days } = config.retention;
    // Each day by itself, so that the locks of one are gone before the next.
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++)
      await db.run(sql`
        select add_request_day((real_now() at time zone 'UTC')::date + ${ahead}::int)`);
    await db.run(sql`
      select drop_request_days((real_now() at time zone 'UTC')::date - ${days}::int)`);
    await deleteInBatches(
      db,
      sql`logged_requests_other`,
      sql`at < real_now() - make_interval(days => ${days})`,
    );
  },
});
