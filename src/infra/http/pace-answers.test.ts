/** Large answers that are ready together hold up nobody: one goes with each turn of the loop. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { paceAnswers } from "./pace-answers.ts";

type Hook = (request: object, reply: object, payload: unknown, done: () => void) => void;

const LARGE = Buffer.alloc(65_537);
const immediates: (() => void)[] = [];
const nextTurn = () => immediates.shift()?.();

beforeEach(() => {
  immediates.length = 0;
  mock.method(globalThis, "setImmediate", (work: () => void) => immediates.push(work));
});
afterEach(() => mock.restoreAll());

function openDoor() {
  const hooks: Hook[] = [];
  const app = { addHook: (_name: string, hook: Hook) => hooks.push(hook) };
  paceAnswers(app as unknown as FastifyInstance);
  const sent: string[] = [];
  const send = (name: string, payload: unknown, raw = { headersSent: false }) =>
    hooks[0]?.({}, { raw }, payload, () => sent.push(name));
  return { send, sent };
}

test("of two large ones the second goes with the next turn, and small ones wait for neither", () => {
  const { send, sent } = openDoor();
  send("large", LARGE);
  send("another", "x".repeat(65_537));
  send("small", LARGE.subarray(1));
  send("none", null);
  assert.deepEqual(sent, ["small", "none"]);
  nextTurn();
  assert.deepEqual(sent, ["small", "none", "large"]);
  nextTurn();
  assert.deepEqual(sent, ["small", "none", "large", "another"]);
});

test("one whose client was told meanwhile that it took too long is not sent any more", () => {
  const { send, sent } = openDoor();
  const raw = { headersSent: false };
  send("large", LARGE, raw);
  raw.headersSent = true;
  send("another", LARGE);
  nextTurn();
  nextTurn();
  assert.deepEqual(sent, ["another"]);
});
