/**
 * More requests than can be answered soon are refused at once, before anything is done for them;
 * slow clients do not count, and health and paying customers come first.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { after, mock, test } from "node:test";
import type { PendingRequest } from "../../../src/infra/http/listen/pending-request.ts";
import { createLoadShedder } from "../../../src/infra/http/listen/shed-load.ts";
import { createLog } from "../../../src/infra/log.ts";
import { script, style } from "../../../src/modules/checkout/page/assets.ts";
import { PATH } from "../../../testkit/payment-requests.ts";
import { createProbes } from "../../../testkit/probe-routes.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const AT_ONCE = 2;
const SLOW = "/probe/slow";
/** As slow, for somebody who is in the middle of paying. */
const PAYING = "/probe/paying";

/** A request that is under way for 2 s counts no more, and these tests may take longer. */
const TIMES_SLOWER = 100;
const now = performance.now.bind(performance);
const beganAt = now();
const slowly = () => beganAt + (now() - beganAt) / TIMES_SLOWER;
const slowed = mock.method(performance, "now", slowly);
after(() => slowed.mock.restore());

const probes = createProbes();
const paying = probes.routes
  .filter(({ path }) => path === SLOW)
  .map((slow) => ({ ...slow, path: PAYING, highPriority: true as const }));
const settings = { REQUESTS_AT_ONCE_MAX: String(AT_ONCE) };
const service = await startService({ settings, extraRoutes: [...probes.routes, ...paying] });
after(() => service.stop());
const { host, hostname, port } = new URL(service.url);

const request = (path: string, asked: RequestOptions = {}): Promise<TestAnswer> =>
  service.request(path, asked);

/** As many as may be at work, and then what else is asked. */
async function whileFull(
  ask: () => Promise<void>,
  { path = SLOW, count = AT_ONCE } = {},
): Promise<void> {
  const begun = Array.from({ length: count }, () => request(path));
  await until(() => probes.latch.waiting() === count, "there is no room");
  await ask();
  probes.latch.open();
  for (const answer of await Promise.all(begun)) assert.equal(answer.status, 200);
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

function expectBusy(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body], [503, { message: "Service Unavailable" }]);
  assert.equal(answer.headers.get("retry-after"), "1");
}

test("one request too many is refused with Retry-After, and served when the others are done", async () => {
  await whileFull(async () => {
    expectBusy(await request("/openapi.json"));
    expectBusy(await request("/auth/tokens", { method: "POST", json: {} }));
    expectBusy(await request("/openapi.json?a=b"));
    expectBusy(await request("/auth/keys/0123456789abcdef"));
  });
  assert.equal((await request("/openapi.json")).status, 200);
});

test("a payment request is refused as its sender expects it", async () => {
  const ask = (accept: string) => request(PATH, { method: "POST", form: {}, headers: { accept } });
  await whileFull(async () => {
    const told = await ask("application/json");
    const body = { url: "", message: "Service Unavailable", transaction_id: "" };
    assert.deepEqual([told.status, told.body], [503, body]);
    assert.equal(told.headers.get("retry-after"), "1");
    const page = await ask("text/html");
    assert.equal(page.status, 503);
    assert.match(page.text, /<h1/);
  });
});

test("a client that prefers problem+json gets that", async () => {
  const headers = { accept: "application/problem+json" };
  await whileFull(async () => {
    for (const path of ["/openapi.json", "/openapi.json?a=b"]) {
      const told = await request(path, { headers });
      assert.equal(told.headers.get("content-type"), "application/problem+json");
      assert.equal(told.headers.get("x-svc-error"), "unavailable");
      const { code, message, hint, request_id } = told.body;
      assert.deepEqual([code, message], ["unavailable", "Service Unavailable"]);
      assert.match(hint, /^Try again in 1 second\. /);
      assert.equal(request_id, told.headers.get("x-request-id"));
    }
    const paying = await request(PATH, { method: "POST", json: {}, headers });
    assert.deepEqual([paying.body.url, paying.body.transaction_id], ["", ""]);
  });
});

test("requests that were refused are logged together", async () => {
  const isLogged = (line: string) => line.includes("requests were refused");
  await until(() => service.logged.some(isLogged), "it is logged");
  const lines = service.logged.filter((line) => line.includes('"status":503'));
  assert.deepEqual(lines, []);
});

test("those that were refused in a pause are logged as such, however short it was", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "warn", write: (line) => lines.push(line) });
  const reasons: string[] = [];
  const load = createLoadShedder({
    atOnceMax: AT_ONCE,
    loopDelayMsMax: 0,
    waiting: () => 0,
    onNotTaking: (why) => void reasons.push(why),
    log,
  });
  await load.pause(0);
  assert.throws(() => load.demandRoom({} as PendingRequest), { status: 503 });
  load.stop();
  const told = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    told.map(({ msg, refused, isPaused }) => ({ msg, refused, isPaused })),
    [{ msg: "requests were refused", refused: 1, isPaused: true }],
  );
  assert.deepEqual(reasons, ["The database is being copied or exchanged."]);
});

test("health is answered all the same", async () => {
  await whileFull(async () => {
    for (const path of ["/livez", "/readyz", "/metrics"])
      assert.equal((await request(path)).status, 200);
  });
});

test("payment pages are served up to twice as many", async () => {
  const page = () => request("/checkout/nobody-knows-this-session");
  await whileFull(async () => assert.equal((await page()).status, 404));
  const all = { path: PAYING, count: 2 * AT_ONCE };
  await whileFull(async () => assert.equal((await page()).status, 503), all);
  assert.equal((await page()).status, 404);
});

test("a client that is still sending its body does not count", async () => {
  const isServed = async () => (await request("/openapi.json")).status === 200;
  let arrived = 0;
  service.server.http.on("request", ({ method }) => {
    if (method === "POST") arrived += 1;
  });
  const sending: net.Socket[] = [];
  const beganAt = performance.now();
  while (sending.length < 5 * AT_ONCE) {
    const socket = net.connect({ host: hostname, port: Number(port) });
    sending.push(socket);
    socket.write(
      `POST /auth/tokens HTTP/1.1\r\nHost: ${host}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    );
    await until(() => arrived === sending.length, "it has begun");
    await until(isServed, "others are served");
  }
  // If they counted, each would make the others wait for two seconds: ten seconds in all.
  assert(performance.now() - beganAt < 6_000, "others waited for slow senders");
  for (const socket of sending) socket.destroy();
});

test("a refused request does not cost the connection", async () => {
  for (const path of ["/openapi.json", "/openapi.json?a=b", "/auth/keys/0123456789abcdef"]) {
    const socket = net.connect({ host: hostname, port: Number(port) });
    let said = "";
    socket.on("data", (data) => {
      said += data.toString("latin1");
    });
    await whileFull(async () => {
      socket.write(get(path));
      await until(() => said.includes("503"), "it is refused");
      socket.write(get("/livez"));
      await until(() => said.includes('{"message":"OK"}'), "the next is served");
    });
    socket.destroy();
  }
});

test("the style and the script of that page are served with it", async () => {
  await whileFull(async () => {
    for (const { path } of [style, script]) assert.equal((await request(path)).status, 200);
  });
});
