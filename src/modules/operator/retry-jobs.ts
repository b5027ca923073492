/** Has background work tried again that was given up: nothing else ends its alarm. */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { OperatorError } from "../../kit/errors.ts";
import { defineAction } from "./command.ts";

export const retryJobs = defineAction({
  name: "retry-jobs",
  right: { terminalOnly: "Who runs the machines knows whether the cause is gone." },
  about: "try background work again that was given up",
  more: "Once what `jobs` names as its error has been put right. Each has all of its tries again.",
  fields: {},
  example: { given: "", shows: "1 job is tried again.", entry: 13 },
  run: (_ctx, _input, act) =>
    act(async (tx) => {
      const givenUp = sql`
        select id from graphile_worker.jobs
        where locked_at is null and attempts >= max_attempts`;
      const { count } = await tx.one(sqlOf({ count: int })`
        select count(*)::int as count from graphile_worker.reschedule_jobs(
          array(${givenUp}), run_at => clock_timestamp(), attempts => 0)`);
      if (count === 0) throw new OperatorError("No background work was given up.");
      const text = count === 1 ? "1 job is tried again." : `${count} jobs are tried again.`;
      return { entry: { action: "jobs_retried", detail: { count } }, data: { count }, text };
    }),
});
