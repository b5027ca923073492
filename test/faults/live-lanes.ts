/**
 * Kills a process that works on several live orders at once, each at a point of its own: starts
 * `live-victim.ts`, waits until every lane stands at its point (or on the wire, at the fake), and
 * sends SIGKILL.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import type { Fault } from "../../testkit/powertranz/faults.ts";
import { until } from "../../testkit/until.ts";

const VICTIM = fileURLToPath(new URL("live-victim.ts", import.meta.url));

export interface LiveOrder {
  readonly id: string;
  readonly token: string;
  /** The card that is typed. */
  readonly number: string;
  /** What the browser brings back from the bank. */
  readonly posted?: Readonly<Record<string, string>>;
  readonly refundId?: string;
  /** Of what is refunded. */
  readonly saleReference?: string;
}

export interface Lane {
  readonly lane: number;
  readonly task: "pay" | "come back" | "ask" | "refund" | "return";
  readonly order: LiveOrder;
  /** Ordered for its sale before the first call. */
  readonly faults: readonly Fault[];
  /** Where it dies; undefined: nowhere, or on the wire when `isHeld`. */
  readonly point?: string | undefined;
  /** Its call is held by the fake: it dies there. */
  readonly isHeld?: boolean;
  /** Begins when the others stand: at its point it holds what they would wait for. */
  readonly isLast?: boolean;
}

export interface Orders {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly controlUrl: string;
  readonly lanes: readonly Lane[];
}

export interface LaneNews {
  readonly lane: number;
  readonly at?: string;
  readonly identifier?: string;
  readonly done?: true;
  readonly error?: string;
}

export interface Killed {
  /** The points that each lane came to, in order. */
  readonly points: ReadonlyMap<number, readonly string[]>;
  readonly logged: readonly string[];
}

/** All lanes end at their points, on the wire, or by themselves where nothing stops them. */
export async function killAtPoints(orders: Orders, fake: PowertranzFake): Promise<Killed> {
  const child = spawn(process.execPath, [VICTIM], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const logged: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => logged.push(text));
  const news: LaneNews[] = [];
  child.on("message", (one: LaneNews) => news.push(one));
  const exited = once(child, "exit");
  child.send(orders);
  const killed = () => {
    child.kill("SIGKILL");
    return exited;
  };
  await untilAllStand(orders, fake, { child, news }).finally(killed);
  const points = Map.groupBy(news, ({ lane }) => lane);
  return {
    points: new Map(
      [...points].map(([lane, own]) => [lane, own.flatMap(({ at }) => at ?? [])] as const),
    ),
    logged: logged.join("").split("\n").filter(Boolean),
  };
}

function untilAllStand(
  orders: Orders,
  fake: PowertranzFake,
  { child, news }: { child: ChildProcess; news: readonly LaneNews[] },
): Promise<void> {
  return until(async () => {
    assert(child.exitCode === null, "the victim ended by itself");
    const failed = news.find(({ error }) => error !== undefined);
    assert(failed === undefined, failed?.error);
    const held = orders.lanes.some(({ isHeld }) => isHeld) ? await heldAt(fake) : new Set();
    return orders.lanes.every(({ lane, point, isHeld }) => {
      const own = news.filter((one) => one.lane === lane);
      if (isHeld) return own.some(({ identifier }) => held.has(identifier));
      if (point === undefined) return own.some(({ done }) => done);
      assert(!own.some(({ done }) => done), `lane ${lane} never came to "${point}"`);
      return own.at(-1)?.at === point;
    });
  }, "every lane is where it dies");
}

/** The sales whose calls wait at the fake. */
async function heldAt({ control }: PowertranzFake): Promise<ReadonlySet<string | undefined>> {
  const calls = await control.calls();
  const held = calls.filter(({ fault, status }) => fault?.startsWith("slow") && !status);
  return new Set(held.map((call) => call.transactionIdentifier));
}
