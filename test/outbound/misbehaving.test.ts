/**
 * The guarantee: a receiver costs no more than its limits. Whatever it does, the attempt ends in
 * time with an outcome, little of what it pours out is read, and memory stays flat.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { after, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createSender, type Outcome } from "../../src/infra/outbound/send.ts";
import { dripping, until } from "../../testkit/until.ts";
import { PARCEL, PRIVATE_ALLOWED, pour, startRogue } from "./rogue-server.ts";

const MEBIBYTE = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\n";

const LENGTH = "content-length: 1\r\n";

const sender = createSender({ config: PRIVATE_ALLOWED });
after(() => sender.stop());

/** One attempt at a receiver of that kind. */
async function attempt(answer: (socket: net.Socket) => void, timeoutMs = 5_000) {
  const rogue = await startRogue(answer);
  try {
    const outcome = await sender.send({ ...PARCEL, url: rogue.url, timeoutMs });
    return { outcome, rogue };
  } finally {
    await rogue.close();
  }
}

function assertFailure(outcome: Outcome, word: string): void {
  assert("failure" in outcome && outcome.failure === word, JSON.stringify(outcome));
}

function assertStatus(outcome: Outcome, status: number): void {
  assert("status" in outcome && outcome.status === status, JSON.stringify(outcome));
}

const failing: [what: string, answer: (socket: net.Socket) => void, word: string][] = [
  ["speaks HTTP/0.9", (socket) => socket.end("<html>hello</html>"), "bad_answer"],
  ["speaks another protocol", (socket) => socket.end("220 smtp ESMTP\r\n"), "bad_answer"],
  ["says nothing and closes", (socket) => socket.end(), "connection_lost"],
  ["resets the connection", (socket) => socket.resetAndDestroy(), "connection_lost"],
  ["breaks off inside the headers", (socket) => socket.end(`${OK}a: b\r\n`), "connection_lost"],
  ["sends a broken header", (socket) => socket.end(`${OK}a b\u0000: c\r\n\r\n`), "bad_answer"],
  ["sends a status that is none", (s) => s.end("HTTP/1.1 2000 OK\r\n\r\n"), "bad_answer"],
  ["sends two lengths", (s) => s.end(`${OK}${LENGTH}${LENGTH}\r\n`), "bad_answer"],
  ["switches protocols", (s) => s.end("HTTP/1.1 101 OK\r\nupgrade: x\r\n\r\n"), "bad_answer"],
  [
    "sends headers of 100 KB",
    (socket) => socket.write(`${OK}a: ${"b".repeat(100_000)}\r\n\r\n`),
    "headers_too_large",
  ],
  [
    "sends 5,000 short headers",
    (socket) => socket.write(`${OK}${"a: b\r\n".repeat(10_000)}\r\n`),
    "headers_too_large",
  ],
  [
    "says 100 Continue for ever",
    (socket) => pour(socket, Buffer.from("HTTP/1.1 100 Continue\r\n\r\n")),
    "bad_answer",
  ],
  [
    "says 103 Early Hints for ever",
    (socket) => pour(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))),
    "bad_answer",
  ],
];

describe("a receiver that", { concurrency: 4 }, () => {
  for (const [what, answer, word] of failing)
    test(`${what} is a failure: ${word}`, async () => {
      const { outcome } = await attempt(answer);
      assertFailure(outcome, word);
      assert(outcome.durationMs < 4_000, "it did not wait for the limit");
    });

  test("never answers is a failure when the time is over", async () => {
    const { outcome } = await attempt(() => {}, 500);
    assertFailure(outcome, "timeout");
    assert.equal("text" in outcome && outcome.text, "No answer within 0.5 s.");
    assert(outcome.durationMs >= 499 && outcome.durationMs < 4_000, String(outcome.durationMs));
  });

  test("drips its headers one by one has until the end, not until the next byte", async () => {
    const { outcome } = await attempt((socket) => {
      socket.write(OK);
      dripping(socket, 20, "a: b\r\n");
    }, 500);
    assertFailure(outcome, "timeout");
    assert(outcome.durationMs < 4_000);
  });

  test("drips its body has answered with its status; the body is let go of", async () => {
    const { outcome } = await attempt((socket) => {
      socket.write(`${OK}content-length: 1000\r\n\r\n`);
      dripping(socket, 100, "x");
    });
    assertStatus(outcome, 200);
    assert(outcome.durationMs >= 1_900 && outcome.durationMs < 4_900, String(outcome.durationMs));
    assert("head" in outcome && /^x+$/.test(outcome.head));
  });

  test("drips its body near the end of the time is not given more of it", async () => {
    const { outcome } = await attempt((socket) => {
      socket.write(`${OK}content-length: 1000\r\n\r\n`);
    }, 600);
    assertStatus(outcome, 200);
    assert(outcome.durationMs < 4_000, String(outcome.durationMs));
  });

  const broken: [what: string, rest: string, head: string][] = [
    ["closes inside its body", "content-length: 100\r\n\r\nhalf", "half"],
    ["sends invalid chunks", "transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n", "half"],
    ["ends its body by closing", "\r\nwhole", "whole"],
  ];
  for (const [what, rest, head] of broken)
    test(`${what} has answered with its status`, async () => {
      const { outcome } = await attempt((socket) => socket.end(`${OK}${rest}`));
      assertStatus(outcome, 200);
      assert.equal("head" in outcome && outcome.head, head);
    });

  test("says more than it was asked is not listened to", async () => {
    const both = `${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`;
    const { outcome } = await attempt((socket) => socket.write(both));
    assertStatus(outcome, 200);
  });

  test("sends a bomb in gzip is answered for its status, and nothing is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * MEBIBYTE));
    const { outcome, rogue } = await attempt((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    assertStatus(outcome, 200);
    assert.equal("head" in outcome && outcome.head, "[An encoded body, not unpacked.]");
    assert.match(rogue.received(), /accept-encoding: identity/);
  });
});

test("endless bodies are let go of after 64 KiB, and memory stays flat", async (t) => {
  const chunk = Buffer.alloc(MEBIBYTE, "x");
  const rogue = await startRogue((socket) => {
    socket.write(`${OK}content-length: ${1024 * MEBIBYTE}\r\n\r\n`);
    pour(socket, chunk);
  });
  t.after(rogue.close);
  const one = () => sender.send({ ...PARCEL, url: rogue.url });
  await one();
  const before = process.memoryUsage().rss;
  const outcomes = await Promise.all(Array.from({ length: 20 }, one));
  const grown = process.memoryUsage().rss - before;
  for (const outcome of outcomes) {
    assertStatus(outcome, 200);
    assert.equal("head" in outcome && outcome.head, "x".repeat(1024));
  }
  assert(grown < 150 * MEBIBYTE, `${Math.round(grown / MEBIBYTE)} MiB more`);
  await rogue.close();
  // What one of 21 got rid of is what the buffers of two sockets hold, not its gigabyte.
  assert(rogue.bytesWritten() < 21 * 16 * MEBIBYTE, `${rogue.bytesWritten()} bytes were taken`);
});

test("a connection that nobody accepts is given up after 5 s", async (t) => {
  const nobody: net.Socket[] = [];
  const patient = createSender({
    config: PRIVATE_ALLOWED,
    connect: () => {
      const socket = new net.Socket();
      nobody.push(socket);
      return socket;
    },
  });
  t.after(() => patient.stop());
  const outcome = await patient.send({ ...PARCEL, url: "http://127.0.0.1:9/" });
  assertFailure(outcome, "connect_timeout");
  assert(outcome.durationMs >= 4_900 && outcome.durationMs < 20_000, String(outcome.durationMs));
  assert(nobody.every((socket) => socket.destroyed));
});

test("a connection that opens after the time was over is written nothing", async (t) => {
  const rogue = await startRogue(() => {});
  t.after(rogue.close);
  const released = Promise.withResolvers<void>();
  let socket: net.Socket | undefined;
  const late = createSender({
    config: PRIVATE_ALLOWED,
    resolver: async () => {
      await released.promise;
      return ["127.0.0.1"];
    },
    connect: (to) => {
      socket = net.connect(to);
      return socket;
    },
  });
  t.after(() => late.stop());
  const url = `http://receiver:${rogue.port}/`;
  assertFailure(await late.send({ ...PARCEL, url, timeoutMs: 100 }), "timeout");
  released.resolve();
  await until(() => rogue.connectionCount() === 1, "the connection is open");
  await late.stop();
  await until(() => socket?.destroyed === true && rogue.openCount() === 0, "it is closed");
  assert.equal(rogue.received(), "");
});
