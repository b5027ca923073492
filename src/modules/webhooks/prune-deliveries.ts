/**
 * Deletes deliveries that ended 30 days ago with their attempts, older attempts of deliveries that
 * were resent since, and jobs of an older version that no runner would try again because their
 * processes were killed (Decision 0034). The events stay in the feed.
 */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";

/** What messengers found due endpoints by before they looked for themselves (Decision 0137). */
export const OLDER_JOBS = ["deliver-webhooks", "retry-webhooks"];

const KEPT = "30 days";
const DEAD_JOBS_AT_ONCE = 10_000;

export const pruneDeliveries = defineJob({
  name: "prune-deliveries",
  everyHourAtMinute: 52,
  async run({ db }: Infra) {
    await deleteInBatches(
      db,
      sql`webhook_deliveries`,
      sql`state <> 'waiting' and ended_at < app_now() - ${KEPT}::interval`,
    );
    await deleteInBatches(db, sql`webhook_attempts`, sql`began_at < app_now() - ${KEPT}::interval`);
    await db.run(sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where task_identifier = any(${OLDER_JOBS}) and attempts >= max_attempts
        limit ${DEAD_JOBS_AT_ONCE}))`);
  },
});
