/** A large answer waits for its turn, and a client that does not take it is cut off. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { FastifyReply } from "fastify";
import { isLarge, sendLarge } from "./send-large.ts";

const BODY = Buffer.alloc(65_537);
const immediates: (() => void)[] = [];

beforeEach(() => {
  immediates.length = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(globalThis, "setImmediate", (work: () => void) => immediates.push(work));
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** As much of a reply as is looked at. */
function makeReply() {
  let resets = 0;
  const socket = { resetAndDestroy: () => resets++ };
  const raw = Object.assign(new EventEmitter(), { socket });
  const sent: unknown[] = [];
  const reply = { raw, send: (body: unknown) => sent.push(body) };
  return { raw, sent, resets: () => resets, reply: reply as unknown as FastifyReply };
}

test("above 64 kB it is large", () => {
  assert.equal(isLarge(BODY), true);
  assert.equal(isLarge(BODY.subarray(1)), false);
});

test("of two that are asked for together, the second goes with the next turn", () => {
  const [one, two] = [makeReply(), makeReply()];
  sendLarge(one.reply, BODY);
  sendLarge(two.reply, BODY);
  const sentSoFar = () => [one.sent.length, two.sent.length];
  assert.deepEqual(sentSoFar(), [0, 0]);
  immediates.shift()?.();
  assert.deepEqual(sentSoFar(), [1, 0]);
  immediates.shift()?.();
  assert.deepEqual(sentSoFar(), [1, 1]);
});

test("who has not taken it after 30 s is cut off, with a reset", () => {
  const { reply, resets } = makeReply();
  sendLarge(reply, BODY);
  immediates.shift()?.();
  mock.timers.tick(29_999);
  assert.equal(resets(), 0);
  mock.timers.tick(1);
  assert.equal(resets(), 1);
});

test("who has taken it is left alone", () => {
  const { reply, raw, resets } = makeReply();
  sendLarge(reply, BODY);
  immediates.shift()?.();
  raw.emit("close");
  mock.timers.tick(60_000);
  assert.equal(resets(), 0);
});
