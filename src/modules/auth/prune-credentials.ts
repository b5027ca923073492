/** Deletes credentials that can never work again, so that the tables stay small. */

import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { AuthContext } from "./context.ts";
import { FAILURES_COUNT_FOR_SECONDS, KNOWN_SECONDS } from "./sign-in-throttle.ts";

/** Long enough to answer "what happened to my sign-in?" the next day. */
const KEPT_AFTER_END = "7 days";

export const pruneCredentials = defineJob({
  name: "prune-credentials",
  everyHourAtMinute: 17,
  async run({ db }: AuthContext) {
    const longOver = sql`real_now() - ${KEPT_AFTER_END}::interval`;
    await deleteInBatches(db, sql`grants`, sql`expires_at < ${longOver}`);
    await deleteInBatches(
      db,
      sql`sign_in_failures`,
      sql`failed_at < real_now() - make_interval(secs => ${FAILURES_COUNT_FOR_SECONDS})`,
    );
    await deleteInBatches(
      db,
      sql`known_addresses`,
      sql`seen_at < real_now() - make_interval(secs => ${KNOWN_SECONDS})`,
    );
    await deleteInBatches(db, sql`signing_keys`, sql`retired_at < ${longOver}`);
  },
});
