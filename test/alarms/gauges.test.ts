/**
 * The guarantee: what alarms go by shows the trouble itself: how long the oldest job, refund,
 * withdrawal, mail and card attempt has waited, what was shed and logged, and who waits for a
 * connection. None of it grows by words that a stranger chooses.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { register } from "prom-client";
import { appWatches } from "../../src/app.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addJob } from "../../src/infra/jobs/job.ts";
import { createWatchLoop } from "../../src/infra/jobs/watch.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { openOwner, withdraw } from "../../testkit/withdrawals.ts";
import { paidOrder, refundOf } from "../api/transactions/refund-support.ts";
import { queue } from "../mail/support.ts";

const service = await startService();
const { ctx } = service;
after(() => service.stop());

async function look(): Promise<void> {
  for (const watch of appWatches) await watch.look(ctx);
}

async function read(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { values = [] } = (await register.getSingleMetric(name)?.get()) ?? {};
  const found = values.find((one) =>
    Object.entries(labels).every(([label, value]) => one.labels[label as never] === value),
  );
  return found?.value ?? 0;
}

/** Near to it: the statements take a moment. */
function assertAbout(seconds: number, expected: number): void {
  assert(seconds >= expected && seconds < expected + 60, `${seconds} is not about ${expected}`);
}

test("while nothing waits all of them are 0", async () => {
  await look();
  assert.equal(await read("windward_jobs_due_seconds"), 0);
  assert.equal(await read("windward_jobs_running_seconds"), 0);
  assert.equal(await read("windward_jobs_given_up"), 0);
  assert.equal(await read("windward_mails_oldest_seconds"), 0);
  assert.equal(await read("windward_refunds_oldest_seconds", { environment: "live" }), 0);
  assert.equal(await read("windward_database_standbys"), 0);
  assert.equal(await read("windward_database_waits_for_standby"), 0);
});

test("a job that waits, one at work and one that is given up are told apart", async () => {
  const { db } = ctx;
  await addJob(db, "nobody-does-this", {});
  await db.run(sql`update graphile_worker._private_jobs set run_at = now() - interval '90 s'`);
  await look();
  assertAbout(await read("windward_jobs_due_seconds"), 90);

  await db.run(sql`
    update graphile_worker._private_jobs
    set locked_at = now() - interval '70 s', locked_by = 'a worker'`);
  await look();
  assert.equal(await read("windward_jobs_due_seconds"), 0);
  assertAbout(await read("windward_jobs_running_seconds"), 70);

  await db.run(sql`
    update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, attempts = max_attempts`);
  await look();
  assert.equal(await read("windward_jobs_due_seconds"), 0);
  assert.equal(await read("windward_jobs_given_up"), 1);
  await db.run(sql`delete from graphile_worker._private_jobs`);
});

test("refunds and withdrawals are as old as the oldest, and mails as long as one is due", async () => {
  const order = await paidOrder(service);
  await refundOf(service, order, "10.00");
  const owner = await openOwner(service);
  await withdraw(service, owner);
  await queue(service);
  await service.clock.advance({ hours: 2 });
  await look();
  const two = 2 * 3_600;
  assertAbout(await read("windward_refunds_oldest_seconds", { environment: "live" }), two);
  assert.equal(await read("windward_refunds_oldest_seconds", { environment: "sandbox" }), 0);
  const pending = { environment: "sandbox", status: "pending" };
  assertAbout(await read("windward_withdrawals_oldest_seconds", pending), two);
  assertAbout(await read("windward_mails_oldest_seconds"), two);
  await ctx.db.run(sql`update mails set next_try_at = app_now() + interval '6 hours'`);
  await look();
  assert.equal(await read("windward_mails_oldest_seconds"), 0);
});

test("a look that fails is logged, and the others are made", async () => {
  const looked: string[] = [];
  const loop = createWatchLoop(ctx, [
    { what: "broken", look: () => Promise.reject(new Error("it broke")) },
    { what: "whole", look: async () => void looked.push("whole") },
  ]);
  loop.start();
  await until(() => looked.length > 0, "the second look is made");
  await loop.stop();
  assert(service.logged.some((line) => line.includes("could not be looked at")));
  assert(
    Math.abs((await read("windward_watched_at_seconds", { what: "whole" })) - Date.now() / 1000) <
      60,
  );
  assert.equal(await read("windward_watched_at_seconds", { what: "broken" }), 0);
});

test("connections are counted as idle, busy and waited for", async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => ctx.db.pool.connect()));
  const waiter = ctx.db.pool.connect();
  try {
    assert.equal(await read("windward_database_connections", { state: "busy" }), 10);
    // The request log may wait for one as well.
    assert((await read("windward_database_connections", { state: "waiting" })) >= 1);
  } finally {
    for (const client of held) client.release();
    (await waiter).release();
  }
  const waiting = () => read("windward_database_connections", { state: "waiting" });
  await until(async () => (await waiting()) === 0, "nobody waits any more");
  assert((await read("windward_database_connections", { state: "idle" })) > 0);
});

test("lines of the log are counted from warnings on", async () => {
  const before = await read("windward_log_lines_total", { level: "error" });
  const warned = await read("windward_log_lines_total", { level: "warn" });
  ctx.log.error("a test says so");
  ctx.log.warn({ some: "facts" }, "a test warns");
  ctx.log.info("a test informs");
  assert.equal(await read("windward_log_lines_total", { level: "error" }), before + 1);
  assert.equal(await read("windward_log_lines_total", { level: "warn" }), warned + 1);
  assert(service.logged.some((line) => line.includes('"some":"facts"')));
});

test("a stranger's words become no series of the reports about payment pages", async () => {
  const before = await read("windward_checkout_policy_reports_total", { rule: "other" });
  const body = { effectiveDirective: "a-word-of-their-own" };
  const raw = {
    type: "application/reports+json",
    body: JSON.stringify([{ type: "csp-violation", body }]),
  };
  assert.equal((await service.request("/reports/csp", { method: "POST", raw })).status, 200);
  assert.equal(await read("windward_checkout_policy_reports_total", { rule: "other" }), before + 1);
  assert(!(await register.metrics()).includes("a-word-of-their-own"));
});
