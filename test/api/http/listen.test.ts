/** Which addresses are listened at, and that closing drops no request. */

import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { networkInterfaces } from "node:os";
import { type TestContext, test } from "node:test";
import {
  addressesOf,
  HostNotFound,
  type Listening,
  listenAt,
} from "../../../src/infra/http/listen/listen-addresses.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { until } from "../../../testkit/until.ts";

const host = "127.0.0.1";

type Resolve = typeof addressesOf;

/** Closed after the test, unless the test does it. */
async function open(t: TestContext, at: { host: string; port: number }, resolve?: Resolve) {
  const server = http.createServer((_request, response) => response.end("here"));
  const listening: Listening = await listenAt(server, at, resolve);
  t.after(() => listening.close(0));
  return { server, ...listening };
}

const ask = async (address: string) => (await fetch(address)).text();

test("a port that is taken is refused", async (t) => {
  const { url } = await open(t, { host, port: 0 });
  const port = Number(new URL(url).port);
  await assert.rejects(open(t, { host, port }), { code: "EADDRINUSE" });
});

test("every address of a host that this machine has leads to the same server", async (t) => {
  const port = await freePort();
  // 192.0.2.0/24 is nobody's (RFC 5737).
  const resolve: Resolve = async () => [host, "192.0.2.1", "127.0.0.2"];
  const { server } = await open(t, { host: "localhost", port }, resolve);
  const met = new Set<string | undefined>();
  server.on("connection", (socket) => met.add(socket.localAddress));
  for (const one of [host, "127.0.0.2"]) assert.equal(await ask(`http://${one}:${port}/`), "here");
  assert.deepEqual(met, new Set([host, "127.0.0.2"]));
});

test("a port that is taken at another address of the host is refused, unless it was chosen by us", async (t) => {
  const taken = net.createServer().listen(0, "127.0.0.2");
  await once(taken, "listening");
  t.after(() => once(taken.close(), "close"));
  const { port } = taken.address() as net.AddressInfo;
  const resolve: Resolve = async () => ["127.0.0.3", "127.0.0.2"];
  await assert.rejects(open(t, { host: "localhost", port }, resolve), { code: "EADDRINUSE" });
  // What is free at the first is taken at the second, by the first.
  await open(t, { host: "localhost", port: 0 }, async () => ["127.0.0.3", "127.0.0.3"]);
});

test("localhost answers at each of its addresses", async (t) => {
  const port = await freePort();
  await open(t, { host: "localhost", port });
  const ours = Object.values(networkInterfaces()).flatMap((all = []) => all);
  const found = await lookup("localhost", { all: true });
  const addresses = found.filter((one) => ours.some(({ address }) => address === one.address));
  assert(addresses.length > 0);
  for (const { address, family } of addresses) {
    const literal = family === 6 ? `[${address}]` : address;
    assert.equal(await ask(`http://${literal}:${port}/`), "here");
  }
});

test("a host name that does not exist is reported as such", async () => {
  await assert.rejects(addressesOf("nowhere.invalid"), HostNotFound);
});

test("it is not closed before the last request is answered, and takes no other", async (t) => {
  const resolve: Resolve = async () => [host, "127.0.0.2"];
  const { server, url, close } = await open(t, { host: "localhost", port: 0 }, resolve);
  const port = Number(new URL(url).port);
  const connect = (to: string) => net.connect(port, to).on("error", () => {});
  const clients = [connect(host), connect("127.0.0.2")];
  const answered = clients.map((client) => once(client, "data"));
  let heads = 0;
  server.on("connection", (socket) => socket.once("data", () => (heads += 1)));
  for (const client of clients) client.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
  await until(() => heads === clients.length, "all have begun");
  let isClosed = false;
  const closing = close(Infinity).then(() => {
    isClosed = true;
  });
  for (const to of [host, "127.0.0.2"])
    await until(async () => {
      const probe = connect(to);
      const isRefused = await once(probe, "connect").then(
        () => false,
        () => true,
      );
      probe.destroy();
      return isRefused;
    }, `the port is closed at ${to}`);
  for (const [at, client] of clients.entries()) {
    assert.equal(isClosed, false);
    client.write("\r\n");
    await answered[at];
    client.destroy();
  }
  await closing;
});
