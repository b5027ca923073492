/** The guarantee: never more places than there are, nobody is passed, and a stop frees the line. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSlots } from "./slots.ts";

const { signal } = new AbortController();

describe("places", () => {
  test("are given up to their number, then in the order they were asked for", async () => {
    const places = createSlots(2);
    const given: string[] = [];
    const ask = async (name: string) => {
      const giveBack = await places.take(signal);
      given.push(name);
      return giveBack;
    };
    const first = await ask("first");
    await ask("second");
    const third = ask("third");
    void ask("fourth");
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second"]);
    first?.();
    // Once is enough: a place given back twice would be two.
    first?.();
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second", "third"]);
    (await third)?.();
    await new Promise(setImmediate);
    assert.deepEqual(given, ["first", "second", "third", "fourth"]);
  });

  test("are not given once the signal came, and whoever waits is told", async () => {
    const places = createSlots(1);
    const stopping = new AbortController();
    const giveBack = await places.take(stopping.signal);
    const waiting = places.take(stopping.signal);
    stopping.abort();
    assert.equal(await waiting, undefined);
    assert.equal(await places.take(stopping.signal), undefined);
    giveBack?.();
    assert.notEqual(await places.take(signal), undefined, "nobody in the line took it");
  });
});
