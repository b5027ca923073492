/** Forgets idempotency rows past their promise and rate-limit windows that nobody uses any more. */

import type { Infra } from "../../context.ts";
import { deleteInBatches } from "../../db/delete-in-batches.ts";
import { sql } from "../../db/query.ts";
import { defineJob } from "../../jobs/job.ts";

/** The promise is 24 hours; a week is kind to a client that was down over a weekend. */
const IDEMPOTENCY_KEPT = "7 days";
/** Most are of a minute; the longest, of withdrawals and invitations, of a day. */
const WINDOW_KEPT = "2 days";

export const pruneRequestRows = defineJob({
  name: "prune-requests",
  everyHourAtMinute: 41,
  async run({ db }: Infra) {
    await deleteInBatches(
      db,
      sql`idempotency_keys`,
      sql`created_at < real_now() - ${IDEMPOTENCY_KEPT}::interval`,
    );
    await deleteInBatches(
      db,
      sql`rate_limit_windows`,
      sql`used_at < clock_timestamp() - ${WINDOW_KEPT}::interval`,
    );
  },
});
