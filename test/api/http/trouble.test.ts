/**
 * Failures are reported for what they are: 503 with Retry-After while a dependency is missing, 500
 * only for our own bugs, and neither reveals anything else to a caller.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../../testkit/database.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { blockTheLoop, until } from "../../../testkit/until.ts";

const probes = createProbes();
const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
const service = await startService({
  extraRoutes: probes.routes,
  database: { url: proxy.url, drop: async () => {} },
});
await createNoteTable(service.ctx.db);
after(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});
const shop = await service.world.merchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);
const writeNote = (json: object) =>
  service.request("/probe/notes", { method: "POST", token, json });
const whoami = () => service.request("/auth/whoami", { token });

function expectUnavailable(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body], [503, { message: "Service Unavailable" }]);
  assert.equal(answer.headers.get("retry-after"), "1");
}

/** `/readyz` says more: which check fails, and why. */
function expectNotReady({ status, headers, body }: TestAnswer, check: string, why: string): void {
  assert.deepEqual([status, body.message], [503, "Service Unavailable"]);
  assert.equal(headers.get("retry-after"), "1");
  const failed = body.checks.filter((one: { ready: boolean }) => !one.ready);
  assert.deepEqual(
    failed.map((one: Record<string, unknown>) => [one.check, one.why]),
    [[check, why]],
  );
}

function linesSince(count: number, level: number): string[] {
  return service.logged.slice(count).filter((line) => line.includes(`"level":${level}`));
}

test("our own mistake is a 500 that says no more, and the log knows the rest", async () => {
  const before = service.logged.length;
  const json = { password: "canary-password-in-a-failing-row" };
  const answer = await service.request("/probe/broken", { method: "POST", json });
  assert.deepEqual([answer.status, answer.body], [500, { message: "Internal Server Error" }]);
  const [line = ""] = linesSince(before, 50);
  const entry = JSON.parse(line);
  assert.equal(entry.reqId, answer.headers.get("x-request-id"));
  assert.equal(entry.err.code, "23502");
  assert.match(entry.err.stack, /probe-routes/);
  assert(!service.logged.join("").includes("canary-password"), "the log holds the failing row");
});

test("a crash inside the work leaves nothing of it", async () => {
  const answer = await writeNote({ ...NOTE, mood: "broken" });
  assert.equal(answer.status, 500);
  assert.equal(await service.ctx.db.run(sql`delete from probe_notes`), 0);
});

test("a client that goes away in the middle of its body is no trouble of ours", async () => {
  const before = service.logged.length;
  const { hostname, port } = new URL(service.url);
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.write(
    `POST /probe/notes HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}` +
      "\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
  );
  await once(socket, "data");
  socket.end('{"text":');
  const refused = () => service.logged.slice(before).filter((line) => line.includes("was refused"));
  await until(() => refused().length > 0, "it is told");
  assert.deepEqual(linesSince(before, 40), []);
  assert.match(refused().join(""), /"code":"malformed_request"/);
});

describe("while the database is away", () => {
  const REQUESTS: [string, RequestOptions][] = [
    ["/.well-known/jwks.json", {}],
    ["/openapi.json", {}],
    ["/auth/whoami", { token }],
    ["/auth/keys", { token }],
    [
      "/auth/keys",
      { method: "POST", token, json: { environment: "test", scopes: "svc-user-all" } },
    ],
    ["/auth/tokens", { method: "DELETE", token }],
    ["/auth/tokens", { method: "POST", json: { email: shop.email, password: "12345678" } }],
    ["/auth/tokens/refresh", { method: "POST", json: { refresh_token: "x" } }],
    ["/probe/notes", { method: "POST", token, json: NOTE, headers: { "idempotency-key": "a" } }],
  ];
  let logged: number;
  before(async () => {
    logged = service.logged.length;
    await proxy.goAway();
  });

  for (const [path, request] of REQUESTS)
    test(`${request.method ?? "GET"} ${path} is answered with 503`, async () => {
      expectUnavailable(await service.request(path, request));
    });

  test("GET /readyz is answered with 503 and says that it is the database", async () => {
    const answer = await service.request("/readyz");
    expectNotReady(answer, "database", "The database does not answer.");
  });

  test("a token that is none is still a 401, and the process is alive", async () => {
    assert.equal((await service.request("/auth/whoami", { token: "x" })).status, 401);
    assert.equal((await service.request("/livez")).status, 200);
  });

  test("nobody is at fault, and when it is back all goes on without a restart", async () => {
    assert.deepEqual(linesSince(logged, 50), []);
    await proxy.comeBack();
    await until(async () => (await whoami()).status === 200, "requests are served again", 5);
    assert.equal((await service.request("/readyz")).status, 200);
  });
});

test("a request whose connection is killed is a 503 that wrote nothing", async () => {
  const answer = writeNote({ ...NOTE, mood: "slow" });
  await until(() => probes.latch.waiting() === 1, "the work has begun");
  await killBackends();
  probes.latch.open();
  expectUnavailable(await answer);
  // Another request may still be handed a connection whose end has not been noticed.
  await until(async () => (await whoami()).status === 200, "the next are served", 2);
  assert.equal(await service.ctx.db.run(sql`delete from probe_notes`), 0);
});

test("idle connections that are killed are replaced unseen", async () => {
  await Promise.all(Array.from({ length: 8 }, whoami));
  await killBackends();
  await until(() => service.ctx.db.pool.totalCount === 0, "the pool has noticed");
  const answers = await Promise.all(Array.from({ length: 8 }, whoami));
  assert(answers.every(({ status }) => status === 200));
});

test("without a free connection a request waits two seconds, and the fifty-first not at all", async () => {
  const { pool } = service.ctx.db;
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  try {
    const startedAt = performance.now();
    expectUnavailable(await whoami());
    const waitedMs = performance.now() - startedAt;
    assert(waitedMs > 1_500 && waitedMs < 8_000, `it waited ${waitedMs} ms`);
    const queue = Array.from({ length: 51 }, () => pool.query("select 1").catch(() => undefined));
    const askedAt = performance.now();
    expectUnavailable(await whoami());
    // Waiting for a connection would take 2 s.
    assert(performance.now() - askedAt < 1_500, "a full queue was waited in");
    await Promise.all(queue);
  } finally {
    for (const client of taken) client.release();
  }
  assert.equal((await whoami()).status, 200);
});

test("a process that runs late says so at once, and recovers by itself", async (t) => {
  const late = await startService({ settings: { OVERLOAD_LOOP_DELAY_MS: "50" }, database });
  t.after(() => late.stop());
  const ask = () => late.request("/openapi.json");
  await until(async () => (await ask()).status === 200, "the start is over");
  let answer = await ask();
  await until(async () => {
    blockTheLoop(100);
    answer = await ask();
    return answer.status === 503;
  }, "the guard has noticed");
  expectUnavailable(answer);
  assert.equal((await late.request("/livez")).status, 200);
  await until(async () => (await ask()).status === 200, "it has recovered", 5);
});

test("a process that is stopping finishes what it began and takes nothing new", async (t) => {
  const stopping = await startService({ extraRoutes: probes.routes, database });
  t.after(() => stopping.stop());
  const begun = stopping.request("/probe/slow");
  await until(() => probes.latch.waiting() === 1, "the request has begun");
  stopping.server.drain();
  for (const path of ["/auth/whoami", "/openapi.json", "/auth/keys/", "/nope"]) {
    const answer = await stopping.request(path, { token });
    expectUnavailable(answer);
    assert.equal(answer.headers.get("connection"), "close");
  }
  for (const path of ["/livez", "/livez/"])
    assert.equal((await stopping.request(path)).status, 200);
  for (const path of ["/readyz", "/readyz/"]) {
    const unready = await stopping.request(path);
    expectNotReady(unready, "process", "The process is stopping.");
    assert.equal(unready.headers.get("connection"), "close");
  }
  probes.latch.open();
  const answer = await begun;
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("connection"), "close");
});

async function killBackends(): Promise<void> {
  const other = await startService({ database });
  await other.ctx.db.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await other.stop();
}
