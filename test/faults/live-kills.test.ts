/**
 * kill -9 at every point of a live sale, its challenge, its void, its refund and a card check,
 * while the acquirer's answer is lost, late or wrong, before the kill and after it: each payment
 * ends in exactly one truth, is charged at most once and refunded at most once, the books balance,
 * and nothing is undecided five minutes after the last fault (Decision 0080).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FaultKind } from "../../testkit/powertranz/fault-kinds.ts";
import type { Endpoint, Fault } from "../../testkit/powertranz/faults.ts";
import { createDeaths, type Deaths, type Plan, type Task } from "./live-deaths.ts";
import {
  askedOrder,
  cardToReturn,
  cardToSave,
  lateOrders,
  lostOrder,
  newOrder,
  type OpenScene,
  openScene,
  refundedOrder,
  several,
} from "./live-orders.ts";

const LATER: readonly Endpoint[] = ["spi/payment", "lookup", "void", "refund"];
const each = (kind: FaultKind): Fault[] => LATER.map((endpoint) => ({ kind, endpoint }));
const PLAN: Plan = {
  first: ["none", "cut-before", "cut-after", "504-after", "500-html-before"],
  next: [
    [],
    each("cut-after"),
    [{ kind: "500-html-before", endpoint: "lookup", times: 2 }],
    each("504-after"),
    each("cut-before"),
  ],
  lookupDelaySeconds: [0, 40],
  settledSecondsMax: 5 * 60,
};

const TASKS: Readonly<Record<string, Task>> = {
  "send a sale": { task: "pay", endpoint: "spi/sale", prepare: several(newOrder) },
  "complete a challenge": {
    task: "come back",
    endpoint: "spi/payment",
    prepare: several(askedOrder),
  },
  "ask about a lost charge": {
    task: "ask",
    endpoint: "lookup",
    prepare: several((scene) => lostOrder(scene, "cut-after"), 6),
  },
  "reverse what is not found": {
    task: "ask",
    endpoint: "void",
    prepare: several((scene) => lostOrder(scene, "cut-before"), 125),
  },
  "void a late approval": { task: "ask", endpoint: "void", prepare: lateOrders },
  refund: { task: "refund", endpoint: "refund", prepare: several((scene) => refundedOrder(scene)) },
  "ask about a lost refund": {
    task: "refund",
    endpoint: "lookup",
    prepare: several((scene) => refundedOrder(scene, "cut-after"), 6),
  },
  "refund again what is not found": {
    task: "refund",
    endpoint: "refund",
    prepare: several((scene) => refundedOrder(scene, "cut-before"), 125),
  },
  "check a card": { task: "pay", endpoint: "sale", prepare: several(cardToSave) },
  "return the amount of a card check": {
    task: "return",
    endpoint: "refund",
    prepare: several(cardToReturn),
  },
};

/** Without lookups: an answer that was lost stays lost. */
const BLIND_PLAN: Plan = {
  ...PLAN,
  next: [[]],
  lookupDelaySeconds: [0],
  settledSecondsMax: 10 * 60,
};

describe("kill -9 of a process at a live payment", () => {
  let scene: OpenScene;
  let deaths: Deaths;
  let count = 0;

  before(async () => {
    scene = await openScene();
    deaths = createDeaths(scene, scene.settings, PLAN);
  });
  after(() => scene.close());

  for (const [name, task] of Object.entries(TASKS))
    test(`that would ${name}: one truth, whenever it dies`, async (t) => {
      const own = await deaths.dieEverywhere(task);
      count += own;
      t.diagnostic(`${own} deaths`);
    });

  test("dies at hundreds of points, and writes no secret on the way", async () => {
    assert(count > 300, `${count} deaths`);
    await deaths.expectNoSecrets();
  });
});

describe("kill -9 of a process where nothing can be looked up", () => {
  let scene: OpenScene;
  let deaths: Deaths;

  before(async () => {
    scene = await openScene({ POWERTRANZ_LOOKUP: "false" });
    await scene.fake.control.set({ lookupOff: true });
    deaths = createDeaths(scene, scene.settings, BLIND_PLAN);
  });
  after(() => scene.close());

  for (const name of ["complete a challenge", "check a card"])
    test(`that would ${name}: one truth, and what may be charged is undone`, async () => {
      const task = TASKS[name];
      assert(task !== undefined);
      await deaths.dieEverywhere(task);
    });

  test("raises the alarm, and writes no secret on the way", async () => {
    const { service, fake } = scene;
    const undone = (await fake.control.transactions()).filter(({ isVoided }) => isVoided);
    assert(undone.length > 20, `${undone.length} charges were undone`);
    const alarms = service.logged.filter((line) => line.includes("the acquirer's portal"));
    assert(alarms.length >= undone.length, `${alarms.length} alarms`);
    await deaths.expectNoSecrets();
  });
});
