/**
 * Nobody can hold a connection by being slow: a client that does not finish
 * its request gets 408 and is cut off, also when it never closes its own side. These limits are
 * Node's own clock and cannot be moved, so all slow clients of this file are slow at the same time.
 * A handler that is late, and a kept connection on which nothing is asked, have their limits here,
 * too.
 */

import assert from "node:assert/strict";
import type net from "node:net";
import { after, describe, test } from "node:test";
import { publicRoute } from "../../src/infra/http/route.ts";
import { createProbes } from "../../testkit/probe-routes.ts";
import { converse, expectRefusal } from "../../testkit/raw-http.ts";
import { startService } from "../../testkit/service.ts";
import { dripping, until } from "../../testkit/until.ts";

// Far beyond every limit below: how late a busy machine is does not matter.
const WAIT_MS = 45_000;

const probes = createProbes();
const failure = Promise.withResolvers<never>();
const failsLate = publicRoute({
  method: "GET",
  path: "/probe/fails-late",
  summary: "Fails when the test says so",
  answers: {},
  run: () => failure.promise,
});
const service = await startService({ extraRoutes: [...probes.routes, failsLate] });
after(() => service.stop());
const { host } = new URL(service.url);

/** The clients that the server holds a connection to. */
const openPorts = new Set<number | undefined>();
service.server.http.on("connection", (socket: net.Socket) => {
  const { remotePort } = socket;
  openPorts.add(remotePort);
  socket.once("close", () => openPorts.delete(remotePort));
});

const HEADERS = `POST /auth/tokens HTTP/1.1\r\nHost: ${host}\r\n`;
const JSON_BODY = `${HEADERS}Content-Type: application/json\r\n`;

const drip = (socket: net.Socket) => dripping(socket, 1_000, "x");

async function slow(
  bytes: string,
  options: { whenOpen?: typeof drip; neverEnds?: boolean } = {},
): Promise<void> {
  const told = await converse(service.url, bytes, { ...options, waitMs: WAIT_MS });
  const { answers, closedAfterMs } = told;
  assert.equal(answers.length, 1, `one slow request got ${answers.length} answers`);
  expectRefusal(answers[0], 408);
  assert.equal(answers[0]?.headers.get("connection"), "close");
  assert(closedAfterMs > 9_000, `an honest slow client was cut off after ${closedAfterMs} ms`);
  await until(() => !openPorts.has(told.port), "the server has let go of the connection", 2);
}

const withBody = `${JSON_BODY}Content-Length: 50\r\n\r\n`;

describe("at the same time,", { concurrency: true }, () => {
  test("a header byte a second is cut off", () => slow(`${HEADERS}X-Slow: `, { whenOpen: drip }));

  test("half a header and then silence is cut off", () =>
    slow(`${HEADERS}X-Sl`, { neverEnds: true }));

  test("a connection on which nothing is said is cut off", () => slow("", { neverEnds: true }));

  test("a body that never begins is cut off", () => slow(withBody, { neverEnds: true }));

  test("a body byte a second is cut off", () => slow(withBody, { whenOpen: drip }));

  test("chunks that never end are cut off", () =>
    slow(`${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n5\r\nab`));

  test("a body that ends after its 408 leaves the slot that it waited for", async () => {
    const small = await startService({ settings: { REQUESTS_AT_ONCE_MAX: "1" } });
    after(() => small.stop());
    const { answers } = await converse(
      small.url,
      withBody.replace(host, new URL(small.url).host).replace(": 50", ": 2"),
      {
        waitMs: WAIT_MS,
        whenOpen(socket) {
          socket.write("{");
          socket.once("data", () => socket.write("}"));
        },
      },
    );
    assert.equal(answers[0]?.status, 408);
    assert.equal((await small.request("/auth/whoami")).status, 401);
  });

  test("a body that goes on after its refusal is cut off", async () => {
    const bytes = withBody.replace("/auth/tokens", "/auth/keys");
    const told = await converse(service.url, bytes, { whenOpen: drip, waitMs: WAIT_MS });
    expectRefusal(told.answers[0], 401);
  });

  test("a handler of ours that never ends is answered with 503 and Retry-After", async () => {
    const answer = await service.request("/probe/slow");
    assert.deepEqual([answer.status, answer.body], [503, { message: "Service Unavailable" }]);
    assert.equal(answer.headers.get("retry-after"), "1");
    probes.latch.open();
  });

  test("a handler that fails after its client got 503 is logged", async () => {
    assert.equal((await service.request("/probe/fails-late")).status, 503);
    failure.reject(new Error("nobody is there to receive it"));
    const isTold = (line: string) =>
      line.includes("failed after its answer was out") && line.includes("nobody is there");
    await until(() => service.logged.some(isTold), "the log knows why it failed", 2);
  });

  test("a kept connection on which nothing more is asked is closed, later than it was told", async () => {
    const asked = `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const told = await converse(service.url, asked, { waitMs: WAIT_MS });
    assert.equal(told.answers[0]?.headers.get("keep-alive"), "timeout=10, max=1000");
    assert(told.closedAfterMs > 10_000 && told.closedAfterMs < 25_000, `${told.closedAfterMs} ms`);
  });
});

test("connections are bounded in number, in requests and in idle time", () => {
  const { maxConnections, maxRequestsPerSocket, keepAliveTimeout, timeout } = service.server.http;
  assert.deepEqual([maxConnections, maxRequestsPerSocket], [4_000, 1_000]);
  assert.deepEqual([keepAliveTimeout, timeout], [10_000, 30_000]);
});
