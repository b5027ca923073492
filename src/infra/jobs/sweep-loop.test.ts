/**
 * The guarantee: a loop works on all there is, a few at a time; nothing that goes wrong ends it,
 * and it stops when it is told to, after what is under way.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { claimEach, createSweepLoop } from "./sweep-loop.ts";

const PAUSE_MS = 5;
const MANY_MS = 2_000;

function loopOver(works: (() => Promise<void>)[], underWayMax = 2) {
  const errors: unknown[] = [];
  const loop = createSweepLoop({
    name: "sweep",
    pauseMs: PAUSE_MS,
    underWayMax,
    async *claim() {
      for (let work = works.shift(); work !== undefined; work = works.shift()) yield work;
    },
    onError: (error) => void errors.push(error),
  });
  return { loop, errors };
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + MANY_MS;
  while (!isSo()) {
    assert(performance.now() < endsAt, "it never came to be");
    await sleep(1);
  }
}

describe("a sweep loop", () => {
  test("works on all there is, never on more at once than it may", async () => {
    let done = 0;
    let atOnce = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++atOnce);
      await sleep(1);
      atOnce--;
      done++;
    };
    const { loop } = loopOver(Array.from({ length: 9 }, () => work));
    loop.start();
    await until(() => done === 9);
    await loop.stop();
    assert.equal(most, 2);
  });

  test("goes on after work that fails at once, and stops all the same", async () => {
    let done = 0;
    const bad = () => Promise.reject(new Error("bad"));
    const good = async () => void done++;
    const { loop, errors } = loopOver([bad, bad, good, good, bad, good]);
    loop.start();
    await until(() => done === 3);
    await loop.stop();
    assert.equal(errors.length, 3);
  });

  test("goes on when nothing can be claimed for a while", async () => {
    let tried = 0;
    const loop = createSweepLoop({
      name: "sweep",
      pauseMs: PAUSE_MS,
      underWayMax: 2,
      // biome-ignore lint/correctness/useYield: it fails before it has anything to give
      async *claim() {
        tried++;
        throw new Error("the database is away");
      },
      onError() {},
    });
    loop.start();
    await until(() => tried >= 3);
    await loop.stop();
  });

  test("stops after what is under way", async () => {
    let isDone = false;
    let hasBegun = false;
    const slow = async () => {
      hasBegun = true;
      await sleep(40);
      isDone = true;
    };
    const { loop } = loopOver([slow]);
    loop.start();
    await until(() => hasBegun);
    await loop.stop();
    assert(isDone);
  });
});

describe("what is claimed one after the other", () => {
  test("is begun while the next one is still being claimed", async () => {
    const isBegun = Promise.withResolvers<void>();
    const loop = createSweepLoop({
      name: "sweep",
      pauseMs: PAUSE_MS,
      underWayMax: 2,
      async *claim() {
        yield async () => isBegun.resolve();
        await isBegun.promise; // would wait for ever if it were begun after all claims
      },
      onError() {},
    });
    loop.start();
    await isBegun.promise;
    await loop.stop();
  });

  test("one that cannot be claimed or worked on is told of by name, the others go on", async () => {
    const done: string[] = [];
    const told: string[] = [];
    const due = ["unclaimable", "taken", "unworkable", "good"];
    const claimed = claimEach(
      due,
      async (one) => {
        if (one === "unclaimable") throw new Error("cannot be claimed");
        if (one === "taken") return undefined;
        return async () => {
          if (one === "unworkable") throw new Error("cannot be worked on");
          done.push(one);
        };
      },
      (error, one) => told.push(`${one}: ${error instanceof Error ? error.message : ""}`),
    );
    for await (const work of claimed) await work();
    assert.deepEqual(done, ["good"]);
    assert.deepEqual(told, ["unclaimable: cannot be claimed", "unworkable: cannot be worked on"]);
  });
});
