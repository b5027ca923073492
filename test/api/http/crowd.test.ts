/**
 * More requests than can be answered soon are refused at once, before anything is done for them;
 * what is waited for is never a slow client, and health and paying customers come first.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, mock, test } from "node:test";
import { endWith } from "../../../src/infra/http/end-connection.ts";
import { BUSY } from "../../../src/infra/http/turn-away.ts";
import { SECOND_MS } from "../../../src/kit/clock.ts";
import { script, style } from "../../../src/modules/checkout/page/assets.ts";
import { PATH } from "../../../testkit/payment-requests.ts";
import { createProbes } from "../../../testkit/probe-routes.ts";
import { converse, expectRefusal } from "../../../testkit/raw-http.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const AT_ONCE = 2;
const SLOW = "/probe/slow";
/** As slow, for somebody who is in the middle of paying. */
const PAYING = "/probe/paying";

/** Whoever is under way for 2 s counts no more: on a busy machine these tests may take longer. */
const TIMES_SLOWER = 100;
const now = performance.now.bind(performance);
const beganAt = now();
let skipped = 0;
const slowly = () => beganAt + skipped + (now() - beganAt) / TIMES_SLOWER;
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

/** Each on a connection of its own: one that was refused rests, and what comes behind it waits. */
function request(path: string, asked: RequestOptions = {}): Promise<TestAnswer> {
  const headers = { ...asked.headers, connection: "close" };
  return service.request(path, { ...asked, headers });
}

/** As many as may be at work, and then what else is asked. */
async function whileFull(
  ask: () => Promise<void>,
  { path = SLOW, count = AT_ONCE } = {},
): Promise<void> {
  const begun = Array.from({ length: count }, () => request(path));
  await until(() => probes.gate.waiting() === count, "all places are taken");
  await ask();
  probes.gate.open();
  for (const answer of await Promise.all(begun)) assert.equal(answer.status, 200);
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

function expectBusy(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body], [503, { message: "Service Unavailable" }]);
  assert.equal(answer.headers.get("retry-after"), "1");
}

test("one more than may be at work is told to come back, and served when they are done", async () => {
  await whileFull(async () => {
    expectBusy(await request("/openapi.json"));
    expectBusy(await request("/auth/tokens", { method: "POST", json: {} }));
    expectBusy(await request("/openapi.json?a=b"));
    expectBusy(await request("/auth/keys/0123456789abcdef"));
  });
  assert.equal((await request("/openapi.json")).status, 200);
});

test("a payment request is told so as its sender expects it", async () => {
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

test("whoever prefers problem+json gets that, in front of the framework and behind it", async () => {
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

test("those who were turned away are told of together", async () => {
  await until(() => service.logged.some((line) => line.includes("turned away")), "it is told");
  const lines = service.logged.filter((line) => line.includes('"status":503'));
  assert.deepEqual(lines, []);
});

test("health is told all the same", async () => {
  await whileFull(async () => {
    for (const path of ["/livez", "/readyz", "/metrics"])
      assert.equal((await request(path)).status, 200);
  });
});

test("a page that somebody pays on is let in, up to twice as many", async () => {
  const page = () => request("/checkout/nobody-knows-this-session");
  await whileFull(async () => assert.equal((await page()).status, 404));
  const all = { path: PAYING, count: 2 * AT_ONCE };
  await whileFull(async () => assert.equal((await page()).status, 503), all);
  assert.equal((await page()).status, 404);
});

test("somebody who is still sending takes nobody's place", async () => {
  const isServed = async () => (await request("/openapi.json")).status === 200;
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

test("of requests on one connection 32 wait, and after 256 refused in one go it ends", async () => {
  const { answers } = await converse(service.url, get("/livez").repeat(400));
  const served = answers.filter(({ status }) => status === 200);
  assert.deepEqual([served.length, answers.length], [32, 32 + 257]);
  const last = answers.at(-1);
  expectRefusal(last, 503);
  assert.equal(last?.headers.get("connection"), "close");
  assert.equal(last?.headers.get("retry-after"), "1");
});

test("whoever is told to come back and does not wait is heard when there is room", async () => {
  const socket = net.connect({ host: hostname, port: Number(port) });
  const statuses: number[] = [];
  const head = /HTTP\/1\.1 (\d{3})/g;
  socket.on("data", (data) => {
    for (const [, status] of data.toString("latin1").matchAll(head)) statuses.push(Number(status));
  });
  await whileFull(async () => {
    socket.write(get("/openapi.json"));
    await until(() => statuses.length === 1, "it is refused");
    socket.write(get("/livez"));
    for (let turn = 0; turn < 3; turn++) expectBusy(await request("/openapi.json"));
    assert.deepEqual(statuses, [503]);
  });
  await until(() => statuses.length === 2, "it is heard");
  assert.deepEqual(statuses, [503, 200]);
  socket.destroy();
});

test("one refused request, also with a query or an id, costs nobody the connection", async () => {
  for (const path of ["/openapi.json", "/openapi.json?a=b", "/auth/keys/0123456789abcdef"]) {
    const socket = net.connect({ host: hostname, port: Number(port) });
    let said = "";
    socket.on("data", (data) => {
      said += data.toString("latin1");
    });
    await whileFull(async () => {
      socket.write(get(path));
      await until(() => said.includes("503"), "it is refused");
      // Its rest is over long before the next half second of this slow clock.
      skipped += SECOND_MS;
      socket.write(get("/livez"));
      await until(() => said.includes('{"message":"OK"}'), "it is heard");
    });
    socket.destroy();
  }
});

test("one that is turned away unread hears the same", async () => {
  const unread = net.createServer((socket) => endWith(socket, BUSY));
  await once(unread.listen(0, hostname), "listening");
  const { port: unreadPort } = unread.address() as net.AddressInfo;
  const { answers } = await converse(`http://${hostname}:${unreadPort}`, get("/openapi.json"));
  unread.close();
  const [answer] = answers;
  expectRefusal(answer, 503);
  assert.equal(answer?.body, '{"message":"Service Unavailable"}');
  assert.equal(answer?.headers.get("retry-after"), "1");
});

test("while it is full, 256 are refused in one go on a connection, and then it ends", async () => {
  await whileFull(async () => {
    const { answers } = await converse(service.url, get("/openapi.json").repeat(400));
    assert.equal(answers.length, 257);
    for (const [at, answer] of answers.entries()) {
      expectRefusal(answer, 503);
      assert.equal(answer.headers.get("connection"), at === 256 ? "close" : "keep-alive");
    }
  });
});

test("the style and the script of that page are let in with it", async () => {
  await whileFull(async () => {
    for (const { path } of [style, script]) assert.equal((await request(path)).status, 200);
  });
});
