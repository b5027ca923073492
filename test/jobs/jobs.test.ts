/** A job exists exactly when the change that wants it does, and a stop lets it finish. */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type AppContext, appJobs } from "../../src/app.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addJob, defineJob, removeJob } from "../../src/infra/jobs/job.ts";
import { JOB_CONNECTIONS_MAX, runJobs, scheduleOf } from "../../src/infra/jobs/run-jobs.ts";
import { createRefundSweep } from "../../src/modules/transactions/settle-refunds.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import {
  expectAllToAddUp,
  paidOrder,
  refundOf,
  refundRow,
} from "../api/transactions/refund-support.ts";
import { projectRoot } from "../house/project-files.ts";

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

  test("a job that fails is tried again, and others go on", async () => {
    const name = "falls";
    let tries = 0;
    const falls = defineJob({
      name,
      async run() {
        tries += 1;
        if (tries === 1) throw new Error("this time it does not work");
        done.emit(name);
      },
    });
    const runner = await runJobs(service.ctx, [falls, note]);
    await addJob(service.ctx.db, name, {});
    await until(async () => (await lastErrorOf(name)) !== null, "the failure is written down");
    const after = once(done, `beside ${name}`);
    await addJob(service.ctx.db, "note", { text: `beside ${name}` });
    await after;
    const again = once(done, name);
    await service.ctx.db.run(sql`
        select graphile_worker.reschedule_jobs(array(
          select id from graphile_worker.jobs where task_identifier = ${name}), now())`);
    await again;
    await runner.stop();
    assert.equal(tries, 2);
  });

  async function lastErrorOf(name: string): Promise<string | null> {
    const job = await service.ctx.db.maybeOne<{ last_error: string | null }>(sql`
      select last_error from graphile_worker.jobs where task_identifier = ${name}`);
    return job?.last_error ?? null;
  }

  test("of several under one key the last waits alone, and for as long as it says", async () => {
    const waiting = () =>
      service.ctx.db.rows<{ text: string; seconds: number }>(sql`
        select payload ->> 'text' as text, extract(epoch from run_at - clock_timestamp())::float8
          as seconds
        from graphile_worker._private_jobs where key = 'one of a kind'`);
    for (const inSeconds of [0, 5, 60])
      await addJob(
        service.ctx.db,
        "note",
        { text: `${inSeconds}` },
        { key: "one of a kind", inSeconds },
      );
    const [job, ...more] = await waiting();
    assert.deepEqual([job?.text, more], ["60", []]);
    assert(job !== undefined && job.seconds > 50 && job.seconds <= 60, JSON.stringify(job));
    await removeJob(service.ctx.db, "one of a kind");
    assert.deepEqual(await waiting(), []);
  });

  test("the loop settles a refund whose own job was lost", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    await removeJob(service.ctx.db, `settle-refund ${refundId}`);
    const sweep = createRefundSweep(service.ctx);
    sweep.start();
    try {
      const isRefunded = async () => (await refundRow(service, refundId)).state === "refunded";
      await until(isRefunded, "the sweep has settled it");
    } finally {
      await sweep.stop();
    }
    await expectAllToAddUp(service);
  });

  test("what runs by itself is registered, cards to be forgotten every minute", async () => {
    const runner = await runJobs(service.ctx, appJobs);
    const registered = async () => {
      const rows = await service.ctx.db.rows<{ identifier: string }>(
        sql`select identifier from graphile_worker._private_known_crontabs`,
      );
      return rows.map(({ identifier }) => identifier).sort();
    };
    const schedule = scheduleOf(appJobs);
    try {
      const expected = schedule.map(({ task }) => task).sort();
      await until(async () => isDeepStrictEqual(await registered(), expected), "all are known");
    } finally {
      await runner.stop();
    }
    const match = (name: string) => schedule.find(({ task }) => task === name)?.match;
    assert.equal(match("forget-cards"), "* * * * *");
    assert.equal(match("add-up-counts"), "41 * * * *");
    const byThemselves = appJobs.filter((job) => job.everyMinute ?? job.everyHourAtMinute);
    assert.equal(schedule.length, byThemselves.length);
    assert.equal(match("settle-refund"), undefined);
  });

  test("its connections are as many as the setting and the guide say", () => {
    const told = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
    assert.match(told(".env.example"), new RegExp(`up to ${JOB_CONNECTIONS_MAX} more`));
    assert.match(told("docs/operations.md"), new RegExp(`a worker ${JOB_CONNECTIONS_MAX} more`));
  });

  test("every job of the service has a name of its own and runs on an empty database", async () => {
    const names = appJobs.map((job) => job.name);
    assert.equal(new Set(names).size, names.length);
    for (const job of appJobs) await job.run(service.ctx, {});
  });
});
