/**
 * Makes a process die at every point of a task, each time with other faults of the acquirer, and
 * another bring the orders to an end: the engine of the tests of kills at live payments.
 *
 * The points are not listed anywhere. Each task is done once without a kill, which tells them; then
 * once for each of them.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sweep } from "../../testkit/checkout-sessions.ts";
import type { FaultKind } from "../../testkit/powertranz/fault-kinds.ts";
import type { Endpoint, Fault } from "../../testkit/powertranz/faults.ts";
import { expectLiveToAddUp } from "../../testkit/powertranz/live-truth.ts";
import { expectNoSecrets } from "../../testkit/powertranz/secrets.ts";
import { type Killed, killAtPoints, type Lane, type LiveOrder } from "./live-lanes.ts";
import { orderFaults, type Scene, settle, wait } from "./live-orders.ts";

const LANES = 10;
/** The money is posted, and the tx is open: other payments may wait for the same account. */
const HOLDS_BOOKS = /^(end: payment ended|before a commit, 2)/;
const HELD_SECONDS = { "slow-before": 8, "slow-after": 40 } as const;
const HELD_LANES = 5;
/** Written by the adapter: a task that never comes to one tests nothing. */
const OWN_WRITE = / powertranz_/;

export interface Task {
  readonly task: Lane["task"];
  /** The call that gets the first fault. */
  readonly endpoint: Endpoint;
  prepare(scene: Scene, count: number): Promise<LiveOrder[]>;
}

export interface Plan {
  /** What the acquirer makes of the call of the process that dies. */
  readonly first: readonly (FaultKind | "none")[];
  /** What it makes of the calls of the next process, in turn. */
  readonly next: readonly (readonly Fault[])[];
  /** In turn, too: after so long the next process finds a sale. */
  readonly lookupDelaySeconds: readonly number[];
  /** After the last fault. */
  readonly settledSecondsMax: number;
}

interface Death extends Pick<Lane, "point" | "isHeld" | "isLast"> {
  readonly faults: readonly Fault[];
}

export interface Deaths {
  /** At every point of the task; returns how often. */
  dieEverywhere(task: Task): Promise<number>;
  expectNoSecrets(): Promise<void>;
}

export function createDeaths(
  scene: Scene,
  settings: Readonly<Record<string, string>>,
  plan: Plan,
): Deaths {
  const { service, fake } = scene;
  const logged: string[] = [];
  let batches = 0;
  let deaths = 0;

  /** One process dies for all of these; another brings their orders to an end. */
  async function die(task: Task, list: readonly Death[]): Promise<Killed> {
    await fake.control.send({ clearFaults: true, forgetCalls: true });
    await fake.control.set({ lookupDelaySeconds: 0 });
    const orders = await task.prepare(scene, list.length);
    const lanes = list.map((one, lane) => {
      const order = orders[lane];
      assert(order !== undefined);
      return { lane, task: task.task, order, ...one };
    });
    const { url } = service.database;
    const killed = await killAtPoints({ url, settings, controlUrl: fake.controlUrl, lanes }, fake);
    logged.push(...killed.logged);
    if (lanes.some(({ faults }) => faults[0]?.kind === "slow-before")) await beLate(scene);
    await fake.control.set({ lookupDelaySeconds: inTurn(plan.lookupDelaySeconds, batches) });
    await orderFaults(scene, orders, (turn) => inTurn(plan.next, deaths + turn));
    await settle(scene, plan.settledSecondsMax);
    await expectLiveToAddUp(service.ctx.db, fake);
    batches += 1;
    deaths += list.length;
    return killed;
  }

  return {
    async dieEverywhere(task) {
      const { endpoint } = task;
      const before = deaths;
      const kinds = plan.first.map(
        (kind): Death => ({
          faults: kind === "none" ? [] : [{ kind, endpoint }],
        }),
      );
      const { points } = await die(task, kinds);
      assert(
        points.get(0)?.some((point) => OWN_WRITE.test(point)),
        "the acquirer was needed",
      );
      const list = kinds.flatMap(({ faults }, lane) => deathsOf(points, lane, faults));
      for (const batch of batchesOf(list)) await die(task, batch);
      for (const kind of ["slow-before", "slow-after"] as const) {
        const faults = [{ kind, endpoint, seconds: HELD_SECONDS[kind] }];
        const held = Array.from({ length: HELD_LANES }, (): Death => ({ faults, isHeld: true }));
        await die(task, held);
      }
      return deaths - before - kinds.length;
    },
    expectNoSecrets: () =>
      expectNoSecrets({ ctx: service.ctx, logged: [...service.logged, ...logged] }, fake),
  };
}

/** The calls that the fake holds take effect while the next process asks about them. */
async function beLate(scene: Scene): Promise<void> {
  await wait(scene, 40);
  await sweep(scene.service);
  await sleep(HELD_SECONDS["slow-before"] * 1_000);
}

function inTurn<T>(list: readonly T[], turn: number): T {
  const one = list[turn % list.length];
  assert(one !== undefined, "there is one for every turn");
  return one;
}

function deathsOf(points: Killed["points"], lane: number, faults: readonly Fault[]): Death[] {
  return pointsOf(points, lane).map((point) => ({
    faults,
    point,
    isLast: HOLDS_BOOKS.test(point),
  }));
}

/** Each with at most one that holds books. */
function batchesOf(list: readonly Death[]): Death[][] {
  const others = list.filter(({ isLast }) => !isLast);
  const holders = list.filter(({ isLast }) => isLast);
  const count = Math.max(Math.ceil(others.length / LANES), holders.length);
  return Array.from({ length: count }, (_, at) => [
    ...others.slice(at * LANES, (at + 1) * LANES),
    ...holders.slice(at, at + 1),
  ]);
}

/** Those that a fault leads to; before it, the points are those of the lane without one. */
function pointsOf(points: Killed["points"], lane: number): string[] {
  const [plain = [], own = []] = [points.get(0), points.get(lane)];
  if (lane === 0) return [...plain];
  const from = own.findIndex((point, at) => point !== plain[at]);
  return from === -1 ? [] : own.slice(from);
}
