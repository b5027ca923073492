/** Forgets what was sent again after 30 days; the events themselves stay (Decision 0109). */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";

export const KEPT_DAYS = 30;

export const pruneResends = defineJob({
  name: "prune-resends",
  everyHourAtMinute: 53,
  async run({ db }: Infra) {
    await deleteInBatches(
      db,
      sql`event_resends`,
      sql`resent_at < app_now() - make_interval(days => ${KEPT_DAYS})`,
    );
  },
});
