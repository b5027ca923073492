/** Lists background work that failed and will be tried again, or has been given up. */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, int, nullable, text, timestamp } from "../../infra/db/row.ts";
import { defineRead } from "./command.ts";
import { reportBlocks, tableBlock, words } from "./render.ts";

const ROWS_MAX = 100;
const ERROR_LENGTH_MAX = 200;

const FAILING = {
  job: computed(text, sql`task_identifier`),
  tries: computed(int, sql`attempts::int`),
  next: computed(nullable(timestamp), sql`case when attempts < max_attempts then run_at end`),
  error: computed(text, sql`left(coalesce(last_error, ''), ${ERROR_LENGTH_MAX})`),
};

const WAITING = { job: computed(text, sql`task_identifier`), waiting: int, oldest: timestamp };

export const jobs = defineRead({
  name: "jobs",
  about: "list background work that waits, and what of it fails",
  more: "The exit code is 1 when something fails. What is due for long waits for a worker.",
  fields: {},
  example: {
    given: "",
    shows: `Failing jobs
  none

Due jobs
  none
No background work fails.`,
  },
  async run({ db }) {
    const failing = await db.rows(sqlOf(FAILING)`
      select ${columns(FAILING)} from graphile_worker.jobs
      where attempts > 0 and last_error is not null
      order by run_at desc limit ${ROWS_MAX}`);
    const due = await db.rows(sqlOf(WAITING)`
      select task_identifier as job, count(*)::int as waiting, min(run_at) as oldest
      from graphile_worker.jobs where run_at <= clock_timestamp() and attempts < max_attempts
      group by task_identifier order by oldest limit ${ROWS_MAX}`);
    const end =
      failing.length === 0 ? "No background work fails." : "The log says more about each failure.";
    const report = reportBlocks({ failing, due }, [
      tableBlock("Failing jobs", failing, {
        job: "job",
        tries: "tries",
        next: "next",
        error: ({ error }) => error,
      }),
      tableBlock("Due jobs", due, { job: "job", waiting: "waiting", oldest: "oldest" }),
      words(end),
    ]);
    return { ...report, isBad: failing.length > 0 };
  },
});
