/** How long jobs have been due and at work, and how many are given up. */

import { sqlOf } from "../db/query.ts";
import { float, int } from "../db/row.ts";
import { defineWatch } from "./watch.ts";

/**
 * Of all jobs there are: one that is done is gone. By the real clock, the only one that job runners
 * know (Decision 0003).
 */
export const watchJobs = defineWatch({
  what: "jobs",
  gauges: {
    due: {
      name: "windward_jobs_due_seconds",
      help: "How long the longest due job has waited for a worker, when last looked.",
    },
    running: {
      name: "windward_jobs_running_seconds",
      help: "How long the longest running job has been at work, when last looked.",
    },
    given_up: {
      name: "windward_jobs_given_up",
      help: "Jobs that failed at each of their tries and are not tried again, when last looked.",
    },
  },
  read: (db) =>
    db.rows(sqlOf({ due: float, running: float, given_up: int })`
      select
        coalesce(max(extract(epoch from clock_timestamp() - run_at)) filter (
          where locked_at is null and attempts < max_attempts and run_at <= clock_timestamp()
        ), 0)::float8 as due,
        coalesce(max(extract(epoch from clock_timestamp() - locked_at)), 0)::float8 as running,
        count(*) filter (where locked_at is null and attempts >= max_attempts)::int as given_up
      from graphile_worker.jobs`),
});
