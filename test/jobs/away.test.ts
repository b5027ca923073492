/**
 * A database that goes away while jobs end takes neither the process nor its jobs with it: jobs
 * that were done are crossed off once it is back, and others run; and a stop in the midst of it is
 * orderly.
 */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, before, test } from "node:test";
import type { AppContext } from "../../src/app.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addJob, defineJob } from "../../src/infra/jobs/job.ts";
import { runJobs } from "../../src/infra/jobs/run-jobs.ts";
import { startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
let service: TestService;
before(async () => {
  service = await startService({ database: { url: proxy.url, drop: async () => {} } });
});
after(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});

const ENDINGS = { done: "is crossed off", failed: "is kept for another try" };

for (const [ending, result] of Object.entries(ENDINGS))
  test(`a job that is ${ending} while the database is away ${result}`, async () => {
    const events = new EventEmitter();
    const leave = defineJob({
      name: "leave",
      async run(_ctx: AppContext, { isLast }: { isLast: boolean }) {
        if (isLast) return void events.emit("last");
        await proxy.goAway();
        events.emit("away");
        if (ending === "failed") throw new Error("as it was asked to");
      },
    });
    const runner = await runJobs(service.ctx, [leave]);
    const away = once(events, "away");
    await addJob(service.ctx.db, "leave", { isLast: false });
    await away;
    // Long enough for the runner to have tried in vain.
    await until(
      () =>
        service.ctx.db.one(sql`select`).then(
          () => false,
          () => true,
        ),
      "it is away",
    );
    await proxy.comeBack();
    const untilNoneRuns = () =>
      until(async () => {
        const jobs = sql`select from graphile_worker._private_jobs where locked_by is not null`;
        return (await service.ctx.db.rows(jobs).catch(() => [0])).length === 0;
      }, "the job is crossed off");
    await untilNoneRuns();
    const last = once(events, "last");
    await addJob(service.ctx.db, "leave", { isLast: true });
    await last;
    // It says so while it runs: on a busy machine it is crossed off a while later.
    await untilNoneRuns();
    await runner.stop();
    const left = sql`delete from graphile_worker._private_jobs`;
    assert.equal(await service.ctx.db.run(left), ending === "failed" ? 1 : 0);
  });

test("a stop while a job cannot be crossed off is orderly, and leaves it", async () => {
  const away = Promise.withResolvers<void>();
  const leave = defineJob({
    name: "leave",
    async run() {
      await proxy.goAway();
      away.resolve();
    },
  });
  const runner = await runJobs(service.ctx, [leave]);
  await addJob(service.ctx.db, "leave", {});
  await away.promise;
  const isAway = () =>
    service.ctx.db.one(sql`select`).then(
      () => false,
      () => true,
    );
  await until(isAway, "it is away");
  await runner.stop();
  await proxy.comeBack();
  // A connection of the pool may learn only now that it was cut.
  await until(async () => !(await isAway()), "it is back");
  const left = sql`delete from graphile_worker._private_jobs`;
  assert.equal(await service.ctx.db.run(left), 1);
});

test("a process that starts while the database goes away takes jobs later", async () => {
  const taken = Promise.withResolvers<void>();
  const take = defineJob({
    name: "take",
    run: async () => taken.resolve(),
  });
  // Its first question: which of its tasks the database knows.
  proxy.swallowFrom("_private_tasks");
  const runner = await runJobs(service.ctx, [take]);
  await until(async () => proxy.hasSwallowed(), "it asks in vain");
  await proxy.goAway();
  await proxy.comeBack();
  const add = () => addJob(service.ctx.db, "take", {});
  await until(
    () =>
      add().then(
        () => true,
        () => false,
      ),
    "it is back",
  );
  await taken.promise;
  await runner.stop();
  await service.ctx.db.run(sql`delete from graphile_worker._private_jobs`);
});

test("a stop before the database has received our LISTEN is orderly", async () => {
  proxy.swallowFrom("LISTEN");
  const runner = await runJobs(service.ctx, [defineJob({ name: "leave", async run() {} })]);
  await until(async () => proxy.hasSwallowed(), "it listens in vain");
  const stopped = runner.stop();
  await proxy.goAway();
  await stopped;
  await proxy.comeBack();
});
