/** The guarantee: never more slots than there are, in order, and an abort ends the wait. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSemaphore } from "./semaphore.ts";

const { signal } = new AbortController();

describe("slots", () => {
  test("are given up to their number, then in the order they were asked for", async () => {
    const slots = createSemaphore({ atOnce: 2 });
    const given: string[] = [];
    const ask = async (name: string) => {
      const giveBack = await slots.take({ signal });
      given.push(name);
      return giveBack;
    };
    const first = await ask("first");
    await ask("second");
    const third = ask("third");
    void ask("fourth");
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second"]);
    first();
    // A slot that is released twice must not become two.
    first();
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second", "third"]);
    (await third)();
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second", "third", "fourth"]);
  });

  test("are not given after an abort, and what waits is rejected", async () => {
    const slots = createSemaphore({ atOnce: 1 });
    const stopping = new AbortController();
    const giveBack = await slots.take({ signal: stopping.signal });
    const waiting = slots.take({ signal: stopping.signal });
    stopping.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    await assert.rejects(slots.take({ signal: stopping.signal }), { name: "AbortError" });
    giveBack();
    await slots.take({ signal });
  });
});
