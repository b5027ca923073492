/** A job exists exactly when the change that wants it does, and a stop lets it finish. */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, before, describe, test } from "node:test";
import { type AppContext, appJobs } from "../../src/app.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addJob, defineJob } from "../../src/infra/jobs/job.ts";
import { runJobs } from "../../src/infra/jobs/run-jobs.ts";
import { startService, type TestService } from "../support/service.ts";

describe("background jobs", () => {
  let service: TestService;
  const done = new EventEmitter();
  const ran: string[] = [];
  const note = defineJob({
    name: "note",
    async run(_ctx: AppContext, payload: { text: string }) {
      ran.push(payload.text);
      done.emit(payload.text);
    },
  });

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  test("a job added in a tx that commits runs, one added in a tx that rolls back never does", async () => {
    const runner = await runJobs(service.ctx, [note]);
    const finished = once(done, "kept");
    await assert.rejects(
      service.ctx.db.transaction(async (tx) => {
        await addJob(tx, "note", { text: "undone" });
        throw new Error("changed my mind");
      }),
    );
    await service.ctx.db.transaction((tx) => addJob(tx, "note", { text: "kept" }));
    await finished;
    await runner.stop();
    assert.deepEqual(ran, ["kept"]);
  });

  test("stopping waits for the job that is under way", async () => {
    let release = () => {};
    let hasEnded = false;
    const slow = defineJob({
      name: "slow",
      async run() {
        done.emit("begun");
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        hasEnded = true;
      },
    });
    const runner = await runJobs(service.ctx, [slow]);
    const begun = once(done, "begun");
    await addJob(service.ctx.db, "slow", {});
    await begun;
    let hasStopped = false;
    const stopped = runner.stop().then(() => {
      hasStopped = true;
    });
    for (let turn = 0; turn < 20; turn++) await service.ctx.db.run(sql`select pg_sleep(0.005)`);
    assert.deepEqual({ hasStopped, hasEnded }, { hasStopped: false, hasEnded: false });
    release();
    await stopped;
    assert.equal(hasEnded, true);
  });

  test("every job of the service has a name of its own and runs on an empty database", async () => {
    const names = appJobs.map((job) => job.name);
    assert.equal(new Set(names).size, names.length);
    for (const job of appJobs) await job.run(service.ctx, {});
  });
});
