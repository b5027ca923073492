/** Deletes sessions, guesses, browsers and invitations that can never count again. */

import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { PeopleContext } from "./context.ts";
import { BROWSER_SECONDS } from "./known-browser.ts";

export const prunePeople = defineJob({
  name: "prune-people",
  everyHourAtMinute: 27,
  async run({ db }: PeopleContext) {
    await deleteInBatches(
      db,
      sql`console_sessions`,
      sql`created_at < real_now() - interval '7 days'`,
    );
    await deleteInBatches(
      db,
      sql`operator_sessions`,
      sql`created_at < real_now() - interval '7 days'`,
    );
    await deleteInBatches(db, sql`operator_forms`, sql`done_at < real_now() - interval '1 day'`);
    await deleteInBatches(
      db,
      sql`console_guesses`,
      sql`guessed_at < real_now() - interval '1 hour'`,
    );
    await deleteInBatches(
      db,
      sql`known_browsers`,
      sql`seen_at < real_now() - make_interval(secs => ${BROWSER_SECONDS})`,
    );
    await deleteInBatches(db, sql`invitations`, sql`expires_at < real_now() - interval '30 days'`);
  },
});
