/**
 * The soak's plan is a pure function of its seed, and meets every kind of fault in its first
 * minute; the wires that it hits do what their faults are called (Decision 0055).
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { type ChaosProxy, startChaosProxy } from "../../scripts/soak/chaos-proxy.ts";
import { type Fault, planFaults } from "../../scripts/soak/plan.ts";

const FAULTS = 400;

function plan(seed: number): Fault[] {
  const faults = planFaults(seed);
  return Array.from({ length: FAULTS }, () => faults.next().value);
}

describe("a plan", () => {
  test("is the same for the same seed, and another for another", () => {
    assert.deepEqual(plan(1), plan(1));
    assert.notDeepEqual(plan(1), plan(2));
  });

  test("goes forward in time and has met every kind of fault within half a minute", () => {
    for (const seed of [1, 2, 3]) {
      const faults = plan(seed);
      const times = faults.map(({ atMs }) => atMs);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      const kinds = new Set(faults.map(({ kind }) => kind));
      const early = faults.filter(({ atMs }) => atMs < 30_000);
      assert.deepEqual(new Set(early.map(({ kind }) => kind)), kinds);
      assert.equal(kinds.size, 17);
      let shift = 0;
      for (const { kind, seconds } of faults) {
        if (kind === "clock step") shift += seconds;
        assert(shift >= 0, "the clock is never behind the beginning");
      }
    }
  });
});

describe("a wire", () => {
  let server: net.Server;
  let proxy: ChaosProxy;
  before(async () => {
    server = net.createServer((socket) => socket.on("error", () => {}).pipe(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    proxy = await startChaosProxy({ port, seed: 1 });
  });
  after(async () => {
    await proxy.close();
    server.close();
  });

  async function connect(): Promise<net.Socket> {
    const socket = net.connect({ host: "127.0.0.1", port: proxy.port });
    await once(socket, "connect");
    socket.write("hello");
    assert.equal(String((await once(socket, "data"))[0]), "hello");
    return socket;
  }

  test("carries bytes, and is cut", async () => {
    const socket = await connect();
    const ended = once(socket, "end");
    proxy.hit("cut", { share: 1, lastsMs: 0 });
    await ended;
    socket.destroy();
  });

  test("is reset, which the other side sees as an error", async () => {
    const socket = await connect();
    const failed = once(socket, "error");
    proxy.hit("reset", { share: 1, lastsMs: 0 });
    assert.equal((await failed)[0].code, "ECONNRESET");
  });

  test("keeps the order of what it delays", async () => {
    const socket = await connect();
    proxy.hit("delay", { share: 1, lastsMs: 60 });
    const beganAt = performance.now();
    let said = "";
    socket.on("data", (bytes) => {
      said += bytes;
    });
    for (const word of ["one ", "two ", "three "]) {
      socket.write(word);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    while (said.length < 14) await once(socket, "data");
    assert.equal(said, "one two three ");
    assert(performance.now() - beganAt > 200);
    socket.destroy();
  });

  test("that is half open swallows everything and is reset in the end", async () => {
    const socket = await connect();
    const failed = once(socket, "error");
    proxy.hit("half-open", { share: 1, lastsMs: 150 });
    let received = 0;
    socket.on("data", () => {
      received += 1;
    });
    socket.write("is anybody there?");
    assert.equal((await failed)[0].code, "ECONNRESET");
    assert.equal(received, 0);
  });
});
