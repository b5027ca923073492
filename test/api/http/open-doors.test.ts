/** One port, several sockets: many newcomers at once are taken in soon, and nobody else gets in. */

import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import net from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { HostLeadsNowhere, openDoors } from "../../../src/infra/http/open-doors.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { until } from "../../../testkit/until.ts";

const host = "127.0.0.1";
const NEWCOMERS = 128;

let app: FastifyInstance;
let address: string;

beforeEach(async () => {
  app = Fastify();
  app.get("/", async () => "here");
  address = await openDoors(app, { host, port: await freePort() });
});

afterEach(() => app.close());

const turn = () => new Promise(setImmediate);

function connect(): net.Socket {
  return net.connect(Number(new URL(address).port), host).on("error", () => {});
}

test("many that come at once are let in within a few turns of the loop", async () => {
  let letIn = 0;
  app.server.on("connection", () => {
    letIn += 1;
  });
  const clients = Array.from({ length: NEWCOMERS }, connect);
  await turn();
  // The kernel shakes hands with all of them meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  let turns = 0;
  while (letIn < NEWCOMERS) {
    await turn();
    turns += 1;
  }
  for (const client of clients) client.destroy();
  assert(turns < NEWCOMERS / 2, `it took ${turns} turns to let ${NEWCOMERS} in`);
});

test("whichever socket takes a request in, it is answered, and the connection is kept", async () => {
  const answers = await Promise.all(
    Array.from({ length: NEWCOMERS }, async () => (await fetch(address)).text()),
  );
  assert.deepEqual(new Set(answers), new Set(["here"]));
  const client = connect();
  for (let asked = 0; asked < 2; asked++) {
    client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [bytes] = await once(client, "data");
    assert.match(String(bytes), /^HTTP\/1.1 200 /);
  }
  client.destroy();
});

test("a port that is taken is refused, by ours as by others", async () => {
  const port = Number(new URL(address).port);
  const second = Fastify();
  await assert.rejects(openDoors(second, { host, port }), { code: "EADDRINUSE" });
  await second.close();
  const taken = net.createServer().listen(0, host);
  await once(taken, "listening");
  const third = Fastify();
  const place = { host, port: (taken.address() as net.AddressInfo).port };
  await assert.rejects(openDoors(third, place), { code: "EADDRINUSE" });
  await third.close();
  await once(taken.close(), "close");
});

test("of a host every address that this machine has leads to the same server", async (t) => {
  const named = Fastify();
  t.after(() => named.close());
  named.get("/", async () => "here");
  const port = await freePort();
  // 192.0.2.0/24 is nobody's (RFC 5737).
  const resolve = async () => [host, "192.0.2.1", "127.0.0.2"] as const;
  await openDoors(named, { host: "localhost", port }, resolve);
  const met = new Set<string | undefined>();
  named.server.on("connection", (socket) => met.add(socket.localAddress));
  for (const one of [host, "127.0.0.2"])
    assert.equal(await (await fetch(`http://${one}:${port}/`)).text(), "here");
  assert.deepEqual(met, new Set([host, "127.0.0.2"]));
});

test("a port that is taken at another address of the host is refused, unless we chose it", async (t) => {
  const taken = net.createServer().listen(0, "127.0.0.2");
  await once(taken, "listening");
  const [asked, chosen] = [Fastify(), Fastify()];
  t.after(() => Promise.all([asked.close(), chosen.close(), once(taken.close(), "close")]));
  const { port } = taken.address() as net.AddressInfo;
  const resolve = async () => ["127.0.0.3", "127.0.0.2"] as const;
  const place = { host: "localhost", port };
  await assert.rejects(openDoors(asked, place, resolve), { code: "EADDRINUSE" });
  // What is free at the first is taken at the second, by the first.
  const twice = async () => ["127.0.0.3", "127.0.0.3"] as const;
  await openDoors(chosen, { host: "localhost", port: 0 }, twice);
});

test("localhost is answered at each of its addresses", async (t) => {
  const named = Fastify();
  t.after(() => named.close());
  named.get("/", async () => "here");
  const port = await freePort();
  await openDoors(named, { host: "localhost", port });
  const ours = Object.values(networkInterfaces()).flatMap((all = []) => all);
  const found = await lookup("localhost", { all: true });
  const places = found.filter((one) => ours.some(({ address }) => address === one.address));
  assert(places.length > 0);
  for (const { address, family } of places) {
    const literal = family === 6 ? `[${address}]` : address;
    assert.equal(await (await fetch(`http://${literal}:${port}/`)).text(), "here");
  }
});

test("a name that leads nowhere is told as such", async () => {
  const place = { host: "nowhere.invalid", port: 0 };
  await assert.rejects(openDoors(app, place), HostLeadsNowhere);
});

test("who waits at a door when it closes is let in and answered", async () => {
  const clients = Array.from({ length: NEWCOMERS }, connect);
  const answers = clients.map(async (client) => {
    client.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const heard: string[] = [];
    client.on("data", (bytes) => heard.push(String(bytes)));
    await new Promise((resolve) => client.once("close", resolve));
    return heard.join("").slice(0, 12);
  });
  await turn();
  await app.close();
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1.1 (200|503)$/);
});

test("it is not closed before the last request is answered, whichever socket took it in", async () => {
  const clients = Array.from({ length: NEWCOMERS }, connect);
  const isAnswered = clients.map((client) => once(client, "data"));
  const half = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  let heads = 0;
  app.server.on("connection", (socket) => socket.once("data", () => (heads += 1)));
  for (const client of clients) client.write(half);
  await until(() => heads === NEWCOMERS, "all have begun");
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  await until(async () => {
    const probe = connect();
    const isRefused = await once(probe, "connect").then(
      () => false,
      () => true,
    );
    probe.destroy();
    return isRefused;
  }, "the port is closed");
  for (const [at, client] of clients.entries()) {
    assert.equal(isClosed, false);
    client.write("\r\n");
    await isAnswered[at];
    client.destroy();
  }
  await closing;
});

test("once it is closed, nobody is let in", async () => {
  await app.close();
  for (let asked = 0; asked < NEWCOMERS; asked++) {
    const [error] = await once(connect(), "error");
    assert.equal((error as NodeJS.ErrnoException).code, "ECONNREFUSED");
  }
});
