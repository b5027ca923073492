/**
 * The SDK's consumer in any weather: deliveries that are repeated, reordered and missing, a
 * function that fails, and crashes, while a real feed grows. Every event is handled, in order, and
 * once, but for the one in hand at a crash (Decision 0053).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createConsumer } from "../../sdk/src/consumer.ts";
import { createMemoryStore } from "../../sdk/src/cursor-store.ts";
import type { WindwardEvent } from "../../sdk/src/lists.ts";
import { fuzzRuns } from "../support/fuzz-runs.ts";
import { startService, type TestService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { openFeed } from "./consumer-support.ts";

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

async function play(steps: readonly Step[]): Promise<void> {
  const feed = await openFeed(service);
  const kept = createMemoryStore();
  const known: WindwardEvent[] = [];
  const handled: number[] = [];
  let failures = 0;
  let isCrashing = false;
  let crashes = 0;

  const open = () =>
    createConsumer({
      ...feed,
      store: {
        load: () => kept.load(),
        async save(sequence) {
          if (isCrashing) {
            isCrashing = false;
            crashes += 1;
            throw new Crash();
          }
          await kept.save(sequence);
        },
      },
      handle({ sequence }) {
        if (failures > 0) {
          failures -= 1;
          throw new Error("not now");
        }
        handled.push(sequence);
      },
      onTrouble({ error }) {
        // What comes after a crash is another process.
        if (error instanceof Crash) replaced = replace();
      },
      retrySeconds: { first: 0.002, most: 0.002 },
      overtakenSeconds: 0.002,
    });
  let consumer = open();
  let replaced = Promise.resolve();
  async function replace(): Promise<void> {
    const old = consumer;
    consumer = open();
    await old.stop();
  }

  for (const { kind, count = 0, places = [] } of steps) {
    if (kind === "grow") known.push(...(await feed.grow(count)));
    if (kind === "fail") failures += 1;
    if (kind === "crash") isCrashing = true;
    if (kind === "stop") replaced = replace();
    if (kind === "pause") await sleep(5);
    for (const place of places) {
      const event = known[Math.floor(place * (known.length - 1))];
      if (event !== undefined) void consumer.deliver(event);
    }
    await replaced;
  }
  consumer.start();
  await until(() => (consumer.cursor() ?? 0) === known.length, "everything is handled");
  await consumer.stop();

  const repeats = handled.filter((sequence, index) => handled[index - 1] === sequence);
  const once = handled.filter((sequence, index) => handled[index - 1] !== sequence);
  const all = known.map(({ sequence }) => sequence);
  assert.deepEqual(once, all, "every event, in order");
  assert.equal(repeats.length, crashes, "again only what was in hand at a crash");
  assert.equal((await kept.load()) ?? 0, known.length);
}

class Crash extends Error {}

test("every event is handled once and in order, whatever comes in which order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => play(steps)),
    { numRuns: fuzzRuns(25) },
  );
});
