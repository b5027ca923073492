/**
 * Stopping drops nothing: requests under way get their answers, new ones are refused, the process
 * ends with 0 within its limits whatever clients do, and takes its PostgreSQL with it. A second
 * signal means now.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type AskedAnswer, ask, demoSignIn } from "../../testkit/ask.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { processesIn } from "../../testkit/database-owners.ts";
import { childrenOf, runs } from "../../testkit/process-facts.ts";
import {
  endAll,
  launch,
  makeSeededDataDir,
  type Running,
  start,
  UNHINDERED,
} from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";

/** Few enough that on a busy machine none waits too long for its turn to be hashed. */
const SIGN_INS = 3;
/** Of these, so many are not sent whole until the service has let go of its port. */
const HELD_BACK = 2;
const KNOCKS = 8;
/** Slow hashing, so that a sign-in is under way for long enough to meet a signal. */
const SLOW = { ...UNHINDERED, PASSWORD_HASHING: "standard", LOG_LEVEL: "fatal" };
const HALF_A_BODY =
  "POST /auth/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
  'Content-Length: 100\r\n\r\n{"email":';
const HALF_A_HEAD = "GET /auth/whoami HTTP/1.1\r\nHost: localhost\r\n";

after(endAll);

/**
 * Sign-ins on kept connections, all of them begun to be read by the service: some are being hashed
 * if the machine is quick, the others wait for their last byte until the port is closed.
 */
async function signInsUnderWay(service: Running): Promise<Promise<AskedAnswer>[]> {
  const agent = new http.Agent({ keepAlive: true });
  const livez = () => service.ask("/livez");
  const stopping = Promise.withResolvers<void>();
  const answers = Array.from({ length: SIGN_INS }, (_, i) =>
    service.ask("/auth/tokens", {
      ...demoSignIn(),
      agent,
      ...(i < HELD_BACK ? { lastByteAfter: stopping.promise } : {}),
    }),
  );
  // Later ones than those have been answered, by every process that takes connections.
  for (let i = 0; i < 2; i++)
    for (const { status } of await Promise.all(Array.from({ length: KNOCKS }, livez)))
      assert.equal(status, 200);
  until(async () => (await knockOnce(service)) === "ECONNREFUSED", "the port is closed").then(
    stopping.resolve,
    stopping.reject,
  );
  return answers;
}

/** Asks on new connections until the process has ended. */
async function askUntilEnd(service: Running): Promise<(number | string)[]> {
  const results: (number | string)[] = [];
  let hasEnded = false;
  service.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await ask(`${service.url}/auth/whoami`).then(
      (answer) => results.push(answer.status),
      (error) => results.push(error.code),
    );
    await sleep(10);
  }
  return results;
}

async function hold(service: Running, bytes: string): Promise<net.Socket> {
  const socket = net.connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(bytes, resolve));
  // Once a later request is answered, the server has read these bytes, too.
  assert.equal((await service.ask("/livez")).status, 200);
  return socket;
}

describe("with requests under way", () => {
  const cases: [string, Record<string, string>, (service: Running) => void][] = [
    ["SIGTERM", {}, (service) => service.signal("SIGTERM")],
    ["Ctrl-C in a terminal", {}, (service) => service.signalGroup("SIGINT")],
    ["Ctrl-C, two at work", { WORKERS: "2" }, (service) => service.signalGroup("SIGINT")],
    ["SIGTERM, two at work", { WORKERS: "2" }, (service) => service.signal("SIGTERM")],
  ];
  for (const [name, settings, signal] of cases)
    test(`${name}: all are answered, new ones refused, PostgreSQL gone, exit code 0`, async (t) => {
      const dataDir = await makeSeededDataDir();
      const service = await start({ settings: { ...SLOW, DATA_DIR: dataDir, ...settings } });
      const signIns = await signInsUnderWay(service);
      const signalledAt = performance.now();
      signal(service);
      const refused = askUntilEnd(service);
      const answers = await Promise.all(signIns);
      assert.deepEqual(
        answers.map((answer) => answer.status),
        Array(SIGN_INS).fill(200),
      );
      const afterSignal = answers.filter((answer) => answer.headers.connection === "close");
      assert(afterSignal.length >= HELD_BACK, `${afterSignal.length} were under way`);
      const { code, at, stdout, stderr } = await service.ended;
      assert.equal(code, 0);
      assert.equal(stdout.match(/Stopping: what is under way is finished first/g)?.length, 1);
      assert.equal(stderr, "");
      assert(at - signalledAt < 25_000);
      const results = await refused;
      // A few may have come in before the signal arrived there.
      const late = results.slice(results.findIndex((word) => word !== 401));
      const allowed = [503, "ECONNREFUSED", "ECONNRESET"];
      assert(late.length > 0 && late.every((word) => allowed.includes(word)), results.join(" "));
      assert.deepEqual(await processesIn(dataDir), []);
      t.diagnostic(`ended ${Math.round(at - signalledAt)} ms after the signal`);
    });

  test("one that arrives on an open connection is told to come back, and to let go", async () => {
    const database = await freshDatabase();
    const settings = { ...UNHINDERED, LOG_LEVEL: "fatal", DATABASE_URL: database.url };
    const service = await start({ settings });
    const open = await hold(service, HALF_A_HEAD);
    const signIns = await signInsUnderWay(service);
    service.signal("SIGTERM");
    await until(async () => (await knockOnce(service)) === "ECONNREFUSED", "the port is closed");
    open.write("\r\n");
    const text = Buffer.concat(await open.toArray()).toString();
    assert.match(text, /^HTTP\/1\.1 503 /);
    assert.match(text, /^retry-after: 1\r$/im);
    assert.match(text, /^connection: close\r$/im);
    assert.match(text, /\{"message":"Service Unavailable"\}$/);
    for (const answer of await Promise.all(signIns)) assert.equal(answer.status, 200);
    assert.equal((await service.ended).code, 0);
    await database.drop();
  });
});

const knockOnce = (service: Running) =>
  ask(`${service.url}/livez`).then(
    (answer) => answer.status,
    (error) => error.code,
  );

describe("somebody who holds on", () => {
  test("with an idle connection is let go at once", async () => {
    const database = await freshDatabase();
    const service = await start({ settings: { ...UNHINDERED, DATABASE_URL: database.url } });
    const agent = new http.Agent({ keepAlive: true });
    assert.equal((await service.ask("/livez", { agent })).headers.connection, "keep-alive");
    const stoppedAt = performance.now();
    const { code, at } = await service.stop();
    assert.equal(code, 0);
    assert(at - stoppedAt < 10_000, `it took ${at - stoppedAt} ms`);
    await until(() => Object.keys(agent.freeSockets).length === 0, "the connection is closed");
    await database.drop();
  });

  test("with half a request is let go after DRAIN_SECONDS, and the stop is still in order", async () => {
    const dataDir = await makeSeededDataDir();
    const settings = { ...UNHINDERED, DATA_DIR: dataDir, DRAIN_SECONDS: "1" };
    const service = await start({ settings });
    const held = [await hold(service, HALF_A_BODY), await hold(service, HALF_A_HEAD)];
    const stoppedAt = performance.now();
    const { code, at } = await service.stop();
    assert.equal(code, 0);
    const ms = at - stoppedAt;
    assert(ms >= 1_000 && ms < 15_000, `it took ${ms} ms`);
    assert.deepEqual(await processesIn(dataDir), []);
    for (const socket of held) assert((await socket.toArray().catch(() => [])).length === 0);
  });
});

describe("a second signal", () => {
  for (const workers of ["1", "2"])
    test(`after half a second means now, for all of ${workers} at work`, async () => {
      const dataDir = await makeSeededDataDir();
      const service = await start({
        settings: { ...UNHINDERED, DATA_DIR: dataDir, WORKERS: workers },
      });
      await hold(service, HALF_A_BODY);
      const children = childrenOf(service.pid);
      service.signal("SIGTERM");
      await sleep(600);
      const secondAt = performance.now();
      service.signal("SIGTERM");
      const { code, at } = await service.ended;
      assert.equal(code, 1);
      assert(at - secondAt < 10_000, `it took ${at - secondAt} ms`);
      await until(() => !children.some(runs), "its workers and its PostgreSQL are gone");
    });

  test("within a moment is the same wish", async () => {
    const database = await freshDatabase();
    const service = await start({ settings: { ...SLOW, DATABASE_URL: database.url } });
    const signIns = await signInsUnderWay(service);
    service.signal("SIGINT");
    await sleep(50);
    service.signal("SIGINT");
    for (const answer of await Promise.all(signIns)) assert.equal(answer.status, 200);
    assert.equal((await service.ended).code, 0);
    await database.drop();
  });
});

test("a signal during the start leaves no PostgreSQL behind", async () => {
  let wasInTime = false;
  // On a busy machine the start may be over before it is seen to have begun: then once more.
  for (let attempt = 1; attempt <= 5 && !wasInTime; attempt++) {
    const dataDir = await makeSeededDataDir();
    const starting = launch({ settings: { ...UNHINDERED, DATA_DIR: dataDir } });
    await until(async () => (await processesIn(dataDir)).length > 0, "PostgreSQL is being started");
    starting.signal("SIGTERM");
    const { code, stdout, stderr } = await starting.ended;
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.deepEqual(await processesIn(dataDir), []);
    wasInTime = !stdout.includes("is running");
  }
  assert(wasInTime, "no signal ever came during the start");
});

test("an error nobody caught ends it in order, with 1 and a line in the log", async () => {
  const dataDir = await makeSeededDataDir();
  const onPurpose = 'process.on("SIGUSR2", () => { throw new Error("on purpose"); })';
  const service = await start({
    settings: { ...SLOW, DATA_DIR: dataDir },
    flags: [`--import=data:text/javascript,${encodeURIComponent(onPurpose)}`],
  });
  const signIns = await signInsUnderWay(service);
  service.signal("SIGUSR2");
  for (const answer of await Promise.all(signIns)) assert.equal(answer.status, 200);
  const { code, stdout } = await service.ended;
  assert.equal(code, 1);
  assert.match(stdout, /"level":60.*on purpose/);
  assert.deepEqual(await processesIn(dataDir), []);
});
