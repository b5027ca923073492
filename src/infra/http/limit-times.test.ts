/** Whoever is late hears so once, and never while its request is being carried out after all. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limitTimes } from "./listen/time-limits.ts";

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

const immediates: (() => void)[] = [];
const nextTurn = () => immediates.shift()?.();
let now = 0;

beforeEach(() => {
  immediates.length = 0;
  mock.timers.enable({ apis: ["setInterval"] });
  mock.method(globalThis, "setImmediate", (work: () => void) => immediates.push(work));
  mock.method(performance, "now", () => now);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    now += 1_000;
    mock.timers.tick(1_000);
  }
}

/** As much of the framework as is looked at. */
function openDoor() {
  const hooks = new Map<string, Hook>();
  const app = {
    decorateRequest: () => undefined,
    addHook: (name: string, hook: Hook) => hooks.set(name, hook),
  };
  const times = limitTimes(app as unknown as FastifyInstance);
  const begin = () => {
    const heard: number[] = [];
    const request = {
      place: -1,
      headers: {},
      raw: { headers: { "content-length": "5" }, socket: { destroyed: false } },
      routeOptions: { config: {} },
      log: { info: () => undefined, warn: () => undefined },
    } as unknown as FastifyRequest;
    const reply = {
      request,
      sent: false,
      raw: { headersSent: false },
      headers: () => reply,
      getHeader: () => undefined,
      type: () => reply,
      code: (status: number) => {
        heard.push(status);
        return reply;
      },
      send: () => reply,
    };
    const asReply = reply as unknown as FastifyReply;
    times.watchBody(request, asReply);
    const goAway = () => Object.assign(request.raw.socket, { destroyed: true });
    const bodyArrives = () => hooks.get("preHandler")?.(request, asReply, () => undefined);
    return { heard, bodyArrives, goAway, place: () => request.place };
  };
  return { begin };
}

test("of two whose bodies are late together, the second is told with the next turn", () => {
  const { begin } = openDoor();
  const [one, two] = [begin(), begin()];
  pass(15);
  assert.deepEqual([one.heard, two.heard], [[], []]);
  nextTurn();
  assert.deepEqual([one.heard, two.heard], [[408], []]);
  nextTurn();
  assert.deepEqual([one.heard, two.heard], [[408], [408]]);
});

test("a body that arrives while its lateness waits to be told is served, and not called late", () => {
  const one = openDoor().begin();
  pass(15);
  one.bodyArrives();
  nextTurn();
  assert.deepEqual(one.heard, []);
});

test("a handler that takes ten seconds is told as our fault", () => {
  const one = openDoor().begin();
  one.bodyArrives();
  pass(9);
  nextTurn();
  assert.deepEqual(one.heard, []);
  pass(2);
  nextTurn();
  assert.deepEqual(one.heard, [503]);
});

test("who goes away leaves its place within a second, and is told nothing", () => {
  const one = openDoor().begin();
  one.bodyArrives();
  one.goAway();
  pass(1);
  assert.equal(one.place(), -1);
  pass(12);
  nextTurn();
  assert.deepEqual(one.heard, []);
});
