/** Deletes lists of payees that were paid or left a day ago. */

import type { Infra } from "../../../infra/context.ts";
import { deleteInBatches } from "../../../infra/db/delete-in-batches.ts";
import { sql } from "../../../infra/db/query.ts";
import { defineJob } from "../../../infra/jobs/job.ts";

export const pruneLists = defineJob({
  name: "prune-payee-lists",
  everyHourAtMinute: 33,
  async run({ db }: Infra) {
    await deleteInBatches(db, sql`payee_lists`, sql`created_at < app_now() - interval '1 day'`);
  },
});
