/**
 * The SDK's consumer in any weather: deliveries that are repeated, reordered and missing, a
 * function that fails, and crashes, while a real feed grows. Every event is handled, in order, and
 * once, but for the one in hand at a crash (Decision 0053).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { type Consumer, createConsumer } from "../../sdk/src/consumer.ts";
import { createMemoryStore } from "../../sdk/src/cursor-store.ts";
import type { WindwardEvent } from "../../sdk/src/lists.ts";
import { fuzzRuns } from "../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { type Feed, openFeed } from "./consumer-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** One step of a story. A place is where in the known events, from the oldest to the newest. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("grow"), count: fc.nat(4) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("deliver"),
      places: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "fail" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "stop" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "pause" }) },
);
type Step = { kind: string; count?: number; places?: readonly number[] };

class Crash extends Error {}

/** A merchant's program: its function, its store, and a new process after each crash. */
class Program {
  readonly kept = createMemoryStore();
  readonly handled: number[] = [];
  failures = 0;
  isCrashing = false;
  crashes = 0;
  /** From then on every new process begins by catching up. */
  isOver = false;
  replaced = Promise.resolve();
  readonly #feed: Feed;
  consumer: Consumer;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.consumer = this.#open();
  }

  #open(): Consumer {
    return createConsumer({
      ...this.#feed,
      store: { load: () => this.kept.load(), save: (sequence) => this.#save(sequence) },
      handle: ({ sequence }) => this.#handle(sequence),
      onTrouble: ({ error }) => {
        if (error instanceof Crash) this.replace();
      },
      retrySeconds: { first: 0.002, most: 0.002 },
      overtakenSeconds: 0.002,
    });
  }

  replace(): void {
    const old = this.consumer;
    this.consumer = this.#open();
    if (this.isOver) this.consumer.start();
    this.replaced = old.stop();
  }

  #handle(sequence: number): void {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("not now");
    }
    this.handled.push(sequence);
  }

  async #save(sequence: number): Promise<void> {
    if (this.isCrashing) {
      this.isCrashing = false;
      this.crashes += 1;
      throw new Crash();
    }
    await this.kept.save(sequence);
  }
}

async function play(steps: readonly Step[]): Promise<void> {
  const feed = await openFeed(service);
  const program = new Program(feed);
  const known: WindwardEvent[] = [];
  for (const { kind, count = 0, places = [] } of steps) {
    if (kind === "grow") known.push(...(await feed.grow(count)));
    if (kind === "fail") program.failures += 1;
    if (kind === "crash") program.isCrashing = true;
    if (kind === "stop") program.replace();
    if (kind === "pause") await sleep(5);
    for (const place of places) {
      const event = known[Math.floor(place * (known.length - 1))];
      if (event !== undefined) void program.consumer.deliver(event);
    }
    await program.replaced;
  }
  program.isOver = true;
  program.consumer.start();
  const isDone = () => (program.consumer.cursor() ?? 0) === known.length;
  await until(isDone, "everything is handled", 10);
  await Promise.all([program.replaced, program.consumer.stop()]);

  const { handled, crashes, kept } = program;
  const repeats = handled.filter((sequence, index) => handled[index - 1] === sequence);
  const once = handled.filter((sequence, index) => handled[index - 1] !== sequence);
  const all = known.map(({ sequence }) => sequence);
  assert.deepEqual(once, all, "every event, in order");
  assert.equal(repeats.length, crashes, "again only what was in hand at a crash");
  assert.equal((await kept.load()) ?? 0, known.length);
}

test("every event is handled once and in order, whatever comes in which order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => play(steps)),
    { numRuns: fuzzRuns({ usual: 10, proof: 25 }) },
  );
});
