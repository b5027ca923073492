/**
 * Jobs that processes of 1.1 and older add while this one starts beside them. What they are about
 * is looked for by now (Decision 0137), so they are taken and nothing is done. The version that no
 * longer starts beside 1.1 has no need of this file.
 */

import type { Infra } from "../context.ts";
import { sql } from "../db/query.ts";
import { defineJob } from "./job.ts";

const NAMES = ["deliver-webhooks", "retry-webhooks", "send-mail", "sweep-mails"];
const DEAD_AT_ONCE = 10_000;

export const olderJobs = NAMES.map((name) => defineJob({ name, async run() {} }));

/** Those that no runner would try again, because their process was killed. */
export const pruneOlderJobs = defineJob({
  name: "prune-older-jobs",
  everyHourAtMinute: 52,
  async run({ db }: Infra) {
    await db.run(sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where task_identifier = any(${NAMES}) and attempts >= max_attempts
        limit ${DEAD_AT_ONCE}))`);
  },
});
