/**
 * Deletes deliveries that ended 30 days ago with their attempts, and older attempts of deliveries
 * that were resent since (Decision 0034). The events stay in the feed.
 */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";

const KEPT = "30 days";

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
  },
});
