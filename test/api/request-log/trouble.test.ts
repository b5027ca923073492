/**
 * The guarantee: requests are answered as if there were no request log. When its queue is full, or
 * the database does not take a batch, lines are dropped and counted; an orderly stop writes what is
 * left (Decision 0087).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { register } from "prom-client";
import { readConfig } from "../../../src/infra/config.ts";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { sql } from "../../../src/infra/db/query.ts";
import type { RecordAnswer } from "../../../src/infra/http/answered.ts";
import { createLog } from "../../../src/infra/log.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { LINES_MAX } from "../../../src/modules/request-log/line-queue.ts";
import { createRequestLog } from "../../../src/modules/request-log/request-log.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../../testkit/database.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
after(async () => {
  await proxy.close();
  await database.drop();
});

const start = (settings = {}) =>
  startService({ settings, database: { url: proxy.url, drop: async () => {} } });

async function signedIn({ ctx, world }: TestService): Promise<string> {
  const shop = await world.mainMerchant();
  return (await mintToken(ctx, shop, SCOPES)).token;
}

async function countLines({ ctx }: TestService): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from logged_requests`,
  );
  return n;
}

async function droppedSoFar(reason: string): Promise<number> {
  const metric = await register.getSingleMetric("windward_request_log_dropped_total")?.get();
  return metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

describe("the request log", () => {
  test("is written by itself, soon after the answers", async () => {
    const service = await start();
    const token = await signedIn(service);
    const before = await countLines(service);
    await service.request("/auth/whoami", { token });
    await until(async () => (await countLines(service)) === before + 1, "a line is written");
    await service.stop();
  });

  test("is flushed when the process stops", async () => {
    const service = await start();
    const token = await signedIn(service);
    const before = await countLines(service);
    for (let turn = 0; turn < 5; turn++) await service.request("/auth/whoami", { token });
    await service.stop();
    const next = await start();
    assert.equal(await countLines(next), before + 5);
    await next.stop();
  });

  test("switched off keeps nothing", async () => {
    const service = await start({ REQUEST_LOG: "off" });
    const token = await signedIn(service);
    const before = await countLines(service);
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
    await service.ctx.requestLog.flush();
    assert.equal(await countLines(service), before);
    await service.stop();
  });

  test("drops and counts what its queue cannot hold, while requests are answered", async () => {
    const { service, again, requestLog, close } = await startReplaying();
    const token = await signedIn(service);
    await service.request("/auth/whoami", { token });
    await requestLog.flush();
    const before = { lines: await countLines(service), dropped: await droppedSoFar("full") };
    const dropped = async () => (await droppedSoFar("full")) - before.dropped;
    again(LINES_MAX + 7);
    assert.equal(await dropped(), 7);
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
    await requestLog.flush();
    const lines = (await countLines(service)) - before.lines;
    assert.equal(lines + (await dropped()), LINES_MAX + 7 + 1);
    assert(lines >= LINES_MAX);
    await close();
  });

  test("does not hold up a request when its table is locked", async () => {
    const { service, again, requestLog, close } = await startReplaying();
    const token = await signedIn(service);
    await service.request("/auth/whoami", { token });
    await requestLog.flush();
    const before = await droppedSoFar("full");
    let flushing: Promise<void> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`lock table logged_requests in access exclusive mode`);
      again(LINES_MAX);
      flushing = requestLog.flush();
      // Meanwhile the writer takes its first batch, and waits for the lock.
      assert.equal((await service.request("/livez")).status, 200);
      again(LINES_MAX);
      const full = await droppedSoFar("full");
      assert(full > before);
      assert.equal((await service.request("/auth/whoami", { token })).status, 200);
      assert.equal(await droppedSoFar("full"), full + 1);
    });
    await flushing;
    await close();
  });
});

describe("while the database is away", () => {
  test("requests are answered as without a log, and its lines are dropped and counted", async () => {
    const service = await start();
    const token = await signedIn(service);
    const before = await droppedSoFar("failed");
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
    await proxy.goAway();
    await service.ctx.requestLog.flush();
    assert.equal(await droppedSoFar("failed"), before + 1);
    assert.equal((await service.request("/livez")).status, 200);
    const refused = await service.request("/auth/whoami", { token });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    await proxy.comeBack();
    const lines = await countLines(service);
    await until(
      async () => (await service.request("/auth/whoami", { token })).status === 200,
      "it is served again",
    );
    await service.ctx.requestLog.flush();
    assert((await countLines(service)) > lines);
    await service.stop();
  });

  test("a batch whose answer was lost is not there twice", async () => {
    const service = await start();
    const token = await signedIn(service);
    const answer = await service.request("/auth/whoami", { token });
    proxy.cutNextCommit("after", "log-requests");
    await service.ctx.requestLog.flush();
    assert(proxy.hasCut());
    const id = answer.headers.get("x-request-id");
    const found = sql`select from logged_requests where request_id = ${id}`;
    assert.equal((await service.ctx.db.rows(found)).length, 1);
    await service.stop();
  });
});

/** `again` records the last request anew, as often as asked, without a pause. */
async function startReplaying() {
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: proxy.url, connectionsMax: 2, log });
  const requestLog = createRequestLog({ config: readConfig({}), log, db });
  const { record = () => {} } = requestLog;
  let last: Parameters<RecordAnswer> | undefined;
  const spied: RecordAnswer = (...of) => {
    last = of;
    record(...of);
  };
  const service = await startService({
    database: { url: proxy.url, drop: async () => {} },
    context: { requestLog: { ...requestLog, record: spied } },
  });
  return {
    service,
    requestLog,
    again(times: number): void {
      assert(last !== undefined);
      for (let turn = 0; turn < times; turn++) record(...last);
    },
    async close(): Promise<void> {
      await service.stop();
      await db.close();
    },
  };
}
