/**
 * More requests than can be answered soon are refused at once, before anything is done for them;
 * what is waited for is never a slow client, and health and paying customers come first.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { after, mock, test } from "node:test";
import { script, style } from "../../../src/modules/checkout/page/assets.ts";
import { createProbes } from "../../support/probe-routes.ts";
import { converse, expectRefusal } from "../../support/raw-http.ts";
import { startService, type TestAnswer } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { PATH } from "../checkout/request-support.ts";

const AT_ONCE = 2;
const SLOW = "/probe/slow";
/** As slow, for somebody who is in the middle of paying. */
const PAYING = "/probe/paying";

/** Whoever is under way for 2 s counts no more: on a busy machine these tests may take longer. */
const TIMES_SLOWER = 100;
const now = performance.now.bind(performance);
const beganAt = now();
const slowly = () => beganAt + (now() - beganAt) / TIMES_SLOWER;
const slowed = mock.method(performance, "now", slowly);
after(() => slowed.mock.restore());

const probes = createProbes();
const paying = probes.routes
  .filter(({ path }) => path === SLOW)
  .map((slow) => ({ ...slow, path: PAYING, goesFirst: true as const }));
const settings = { REQUESTS_AT_ONCE_MAX: String(AT_ONCE) };
const service = await startService({ settings, extraRoutes: [...probes.routes, ...paying] });
after(() => service.stop());
const { host, hostname, port } = new URL(service.url);

/** As many as may be at work, and then what else is asked. */
async function whileFull(
  ask: () => Promise<void>,
  { path = SLOW, count = AT_ONCE } = {},
): Promise<void> {
  const begun = Array.from({ length: count }, () => service.request(path));
  await until(() => probes.gate.waiting() === count, "all places are taken");
  await ask();
  probes.gate.open();
  for (const answer of await Promise.all(begun)) assert.equal(answer.status, 200);
}

function expectBusy(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body], [503, { message: "Service Unavailable" }]);
  assert.equal(answer.headers.get("retry-after"), "1");
}

test("one more than may be at work is told to come back, and served when they are done", async () => {
  await whileFull(async () => {
    expectBusy(await service.request("/openapi.json"));
    expectBusy(await service.request("/auth/tokens", { method: "POST", json: {} }));
    expectBusy(await service.request("/openapi.json?a=b"));
    expectBusy(await service.request("/auth/keys/0123456789abcdef"));
  });
  assert.equal((await service.request("/openapi.json")).status, 200);
});

test("a payment request is told so as its sender expects it", async () => {
  const ask = (accept: string) =>
    service.request(PATH, { method: "POST", form: {}, headers: { accept } });
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

test("those who were turned away are told of together", async () => {
  await until(() => service.logged.some((line) => line.includes("turned away")), "it is told");
  const lines = service.logged.filter((line) => line.includes('"status":503'));
  assert.deepEqual(lines, []);
});

test("health is told all the same", async () => {
  await whileFull(async () => {
    for (const path of ["/livez", "/readyz", "/metrics"])
      assert.equal((await service.request(path)).status, 200);
  });
});

test("a page that somebody pays on is let in, up to twice as many", async () => {
  const page = () => service.request("/checkout/nobody-knows-this-session");
  await whileFull(async () => assert.equal((await page()).status, 404));
  const all = { path: PAYING, count: 2 * AT_ONCE };
  await whileFull(async () => assert.equal((await page()).status, 503), all);
  assert.equal((await page()).status, 404);
});

test("somebody who is still sending takes nobody's place", async () => {
  const isServed = async () => (await service.request("/openapi.json")).status === 200;
  let arrived = 0;
  service.server.app.server.on("request", ({ method }) => {
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
  // If they counted, a place would be free again after two seconds: ten seconds in all.
  assert(performance.now() - beganAt < 6_000, "others waited for those who send");
  for (const socket of sending) socket.destroy();
});

test("of requests on one connection eight wait; the ninth ends it, with all behind it", async () => {
  const request = `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const { answers } = await converse(service.url, request.repeat(100));
  const served = answers.filter(({ status }) => status === 200);
  assert.deepEqual([served.length, answers.length], [8, 9]);
  const last = answers.at(-1);
  expectRefusal(last, 503);
  assert.equal(last?.headers.get("connection"), "close");
  assert.equal(last?.headers.get("retry-after"), "1");
});

test("the style and the script of that page are let in with it", async () => {
  await whileFull(async () => {
    for (const { path } of [style, script]) assert.equal((await service.request(path)).status, 200);
  });
});
