/**
 * The guarantee: what is sent is what was given, byte for byte; what is told is what came back; and
 * nothing but the receiver that was named is ever spoken to.
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createSender, type Sender } from "../../src/infra/outbound/send.ts";
import { until } from "../../testkit/until.ts";
import { PARCEL, PRIVATE_ALLOWED, startRogue } from "./rogue-server.ts";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly port: number | undefined;
}

describe("a request", () => {
  const received: Received[] = [];
  let server: http.Server;
  let sender: Sender;
  let origin: string;
  let answer: (response: http.ServerResponse) => void = (response) => response.end();

  before(async () => {
    server = http.createServer(async (request, response) => {
      const { method, url, headers, socket } = request;
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      received.push({ method, url, headers, body, port: socket.remotePort });
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    sender = createSender({ config: PRIVATE_ALLOWED });
  });

  after(async () => {
    await sender.stop();
    server.close();
    server.closeAllConnections();
  });

  test("arrives as it was given, and no header says more than that", async () => {
    const outcome = await sender.send({ ...PARCEL, url: `${origin}/a/b?c=d` });
    assert("status" in outcome);
    assert.deepEqual([outcome.status, outcome.head, outcome.retryAfter], [200, "", undefined]);
    const { method, url, headers, body } = received.at(-1) as Received;
    assert.deepEqual([method, url, body], ["POST", "/a/b?c=d", PARCEL.body]);
    assert.deepEqual(headers, {
      "accept-encoding": "identity",
      ...PARCEL.headers,
      connection: "keep-alive",
      "content-length": "10",
      host: new URL(origin).host,
    });
  });

  for (const status of [200, 202, 204, 299, 400, 404, 410, 500])
    test(`that is answered ${status} tells ${status}`, async () => {
      answer = (response) => response.writeHead(status).end();
      const outcome = await sender.send({ ...PARCEL, url: `${origin}/` });
      assert.equal("status" in outcome && outcome.status, status);
    });

  for (const status of [301, 302, 303, 307, 308])
    test(`that is answered ${status} is not sent anywhere else`, async (t) => {
      const elsewhere = await startRogue((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
      t.after(elsewhere.close);
      answer = (response) => response.writeHead(status, { location: elsewhere.url }).end();
      const before = received.length;
      const outcome = await sender.send({ ...PARCEL, url: `${origin}/` });
      assert.equal("status" in outcome && outcome.status, status);
      assert.deepEqual([elsewhere.connectionCount(), received.length], [0, before + 1]);
    });

  test("that is to be sent later tells what Retry-After said, within a length", async () => {
    for (const value of ["5", "Fri, 31 Dec 1999 23:59:59 GMT", "x".repeat(5000)]) {
      answer = (response) => response.writeHead(503, { "retry-after": value }).end("later");
      const outcome = await sender.send({ ...PARCEL, url: `${origin}/` });
      assert("status" in outcome);
      assert.deepEqual([outcome.retryAfter, outcome.head], [value.slice(0, 100), "later"]);
    }
  });

  test("goes over a connection of those before it, and over a new one later", async () => {
    answer = (response) => response.end("ok");
    const portsOf = async (count: number) => {
      const before = received.length;
      for (let sent = 0; sent < count; sent += 1)
        await sender.send({ ...PARCEL, url: `${origin}/` });
      return new Set(received.slice(before).map(({ port }) => port));
    };
    const ports = await portsOf(20);
    // Two: a connection is free again a moment after its answer was told.
    assert(ports.size <= 2, `${ports.size} connections for 20 requests`);
    await until(async () => (await openConnections()) === 0, "idle connections are closed", 8);
    for (const port of await portsOf(1)) assert(!ports.has(port));
  });

  function openConnections(): Promise<number> {
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  }

  test("that cannot be written, or is none, is told like any other failure", async () => {
    const headers = { "a-header": "with\r\na line end" };
    const bad = await sender.send({ ...PARCEL, headers, url: `${origin}/` });
    assert("failure" in bad);
    const none = await sender.send({ ...PARCEL, url: "javascript:alert(1)" });
    assert("failure" in none);
    const text = "The url must begin with https:// or http://.";
    assert.deepEqual([none.failure, none.text], ["bad_url", text]);
  });

  test("to a closed port says so", async () => {
    const outcome = await sender.send({ ...PARCEL, url: "http://127.0.0.1:1/" });
    assert("failure" in outcome);
    assert.equal(outcome.failure, "connect_failed");
    assert.equal(outcome.text, "The connection failed (ECONNREFUSED).");
  });
});

describe("a sender that stops", () => {
  test("ends what is under way at once, closes its connections and sends no more", async (t) => {
    const rogue = await startRogue(() => {});
    const sender = createSender({ config: PRIVATE_ALLOWED });
    t.after(() => Promise.all([rogue.close(), sender.stop()]));
    const underWay = sender.send({ ...PARCEL, url: rogue.url });
    await until(() => rogue.received() !== "", "the receiver has the request");
    await sender.stop();
    const outcome = await underWay;
    assert("failure" in outcome && outcome.failure === "stopped", JSON.stringify(outcome));
    const later = await sender.send({ ...PARCEL, url: rogue.url });
    assert("failure" in later && later.failure === "stopped", JSON.stringify(later));
    assert.equal(rogue.connectionCount(), 1);
  });

  test("gives up a name that is being resolved", async () => {
    const asked = Promise.withResolvers<void>();
    const sender = createSender({
      config: PRIVATE_ALLOWED,
      resolver: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const underWay = sender.send({ ...PARCEL, url: "http://receiver/" });
    await asked.promise;
    await sender.stop();
    const outcome = await underWay;
    assert("failure" in outcome && outcome.failure === "stopped");
  });
});
