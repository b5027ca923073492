/**
 * The guarantee: background work that failed at each try is listed, is tried again once an operator
 * asks for it, and what is under way or waits is left alone.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql, sqlOf } from "../../src/infra/db/query.ts";
import { int, text } from "../../src/infra/db/row.ts";
import { addJob } from "../../src/infra/jobs/job.ts";
import { operator, SIGNED } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
const { db } = service.ctx;
after(() => service.stop());

const attempts = () =>
  db.rows(sqlOf({ job: text, attempts: int })`
    select task_identifier as job, attempts::int from graphile_worker.jobs order by 1`);

test("what was given up is tried again, once; what waits keeps its count", async () => {
  const none = await operator(service, ["retry-jobs", ...SIGNED]);
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /No background work was given up\./);

  for (const name of ["gave-up", "waits"]) await addJob(db, name, {});
  await db.run(sql`
    update graphile_worker._private_jobs as job
    set attempts = case when name.identifier = 'waits' then 2 else max_attempts end,
      last_error = 'it broke', run_at = now() + interval '1 h'
    from graphile_worker._private_tasks as name where name.id = job.task_id`);
  const listed = await operator(service, ["jobs"]);
  assert.equal(listed.code, 1);
  assert.match(listed.stdout, /gave-up.*it broke/);

  const done = await operator(service, ["retry-jobs", ...SIGNED]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^1 job is tried again\.\nAudit entry \d+\.\n$/);
  assert.deepEqual(await attempts(), [
    { job: "gave-up", attempts: 0 },
    { job: "waits", attempts: 2 },
  ]);
  assert.match((await operator(service, ["jobs"])).stdout, /Due jobs\n.*\n.*gave-up/);
  assert.match((await operator(service, ["audit"])).stdout, /jobs_retried/);
});
