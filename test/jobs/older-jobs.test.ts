/**
 * Decision 0137: what an older version adds to the queue beside us is taken and changes nothing,
 * and what its killed processes left goes, too, so that no alarm counts it for good.
 */

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { addJob } from "../../src/infra/jobs/job.ts";
import { olderJobs, pruneOlderJobs } from "../../src/infra/jobs/older-jobs.ts";
import { runJobs } from "../../src/infra/jobs/run-jobs.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const service = await startService();
const { db } = service.ctx;
after(service.stop);
beforeEach(async () => {
  for (const { name } of olderJobs) await addJob(db, name, { endpointId: "gone", mailId: "gone" });
});

async function countJobs(): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from graphile_worker.jobs`);
  return count;
}

test("they are taken", async () => {
  assert.equal(await countJobs(), olderJobs.length);
  const runner = await runJobs(service.ctx, olderJobs);
  await until(async () => (await countJobs()) === 0, "none is left");
  await runner.stop();
});

test("those of a killed process go after its lock is over, and no others", async () => {
  await addJob(db, "add-up-counts", {});
  await db.run(sql`
    update graphile_worker._private_jobs
    set locked_at = now() - interval '5 hours', locked_by = 'dead', attempts = max_attempts`);
  await pruneOlderJobs.run(service.ctx, {});
  assert.equal(await countJobs(), 1);
});
