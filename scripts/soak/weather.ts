/**
 * Carries the plan out: kills, pauses, cuts, a full disk, a clock that is set. Every fault ends by
 * itself; `stop` begins no more and waits for the last: what was paused goes on, the disk has room.
 * `calm` ends at once what goes on, for callers that cannot wait: a paused process would hold up
 * the end of all.
 */

import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/infra/db/database.ts";
import { type Queryable, sql } from "../../src/infra/db/query.ts";
import type { WireFault } from "./chaos-proxy.ts";
import type { House, Slot } from "./house.ts";
import { type Fault, type FaultKind, isKill, planFaults } from "./plan.ts";

export interface Weather {
  /** How often each kind was to happen so far, and how often it did. */
  readonly planned: ReadonlyMap<FaultKind, number>;
  readonly counts: ReadonlyMap<FaultKind, number>;
  kills(): number;
  /** Moments after which limits may have been forgotten: crashes of PostgreSQL, clock steps. */
  readonly forgotten: readonly { from: number; until: number }[];
  stop(): Promise<void>;
  calm(): Promise<void>;
}

type Pause = (ms: number) => Promise<void>;
/** False: what it needs is away. */
type FaultAction = (fault: Fault) => Promise<boolean>;

/** What a fault needs may be away because of another one: it is tried again. */
const TRY_MS_MAX = 15_000;
const TRY_AGAIN_MS = 250;

export function startWeather(house: House, db: Database, seed: number): Weather {
  const planned = new Map<FaultKind, number>();
  const counts = new Map<FaultKind, number>();
  const forgotten: { from: number; until: number }[] = [];
  const under = new Set<Promise<void>>();
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const pause: Pause = (ms) =>
    sleep(ms, undefined, { signal: hurrying.signal }).catch(() => undefined);
  const actions = actionsOf(house, db, pause);
  const beganAt = performance.now();

  const carryOut = async (fault: Fault) => {
    const from = performance.now();
    countOne(planned, fault.kind);
    if (await triedUntilDone(() => actions[fault.kind](fault), hurrying.signal))
      countOne(counts, fault.kind);
    if (/backend|postgres|clock/.test(fault.kind)) {
      await untilBack(db, hurrying.signal);
      forgotten.push({ from, until: performance.now() });
    }
  };
  const running = (async () => {
    for (const fault of planFaults(seed)) {
      const wait = fault.atMs - (performance.now() - beganAt);
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      if (fault.kind === "full disk" && house.disk === undefined) continue;
      const one = carryOut(fault).finally(() => under.delete(one));
      under.add(one);
    }
  })();
  const stop = async () => {
    stopping.abort();
    await running;
    await Promise.all(under);
  };
  return {
    planned,
    counts,
    forgotten,
    stop,
    kills: () => [...counts].reduce((sum, [kind, count]) => sum + (isKill(kind) ? count : 0), 0),
    calm() {
      hurrying.abort();
      return stop();
    },
  };
}

function countOne(counts: Map<FaultKind, number>, kind: FaultKind): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

async function triedUntilDone(
  action: () => Promise<boolean>,
  hurry: AbortSignal,
): Promise<boolean> {
  const giveUpAt = performance.now() + TRY_MS_MAX;
  while (!(await action().catch(() => false))) {
    if (hurry.aborted || performance.now() > giveUpAt) return false;
    await sleep(TRY_AGAIN_MS);
  }
  return true;
}

function actionsOf(house: House, db: Database, pause: Pause): Record<FaultKind, FaultAction> {
  const webs = house.slots.filter(({ port }) => port !== undefined);
  const workers = house.slots.filter(({ port }) => port === undefined);
  const kill = (of: readonly Slot[]) => async (fault: Fault) => {
    const one = livingOf(of, fault.which)?.running;
    one?.signal("SIGKILL");
    return one !== undefined;
  };
  const hold = (pid: number | undefined, lastsMs: number) => held(pid, () => pause(lastsMs));
  const holdOne = (of: readonly Slot[]) => (fault: Fault) =>
    hold(livingOf(of, fault.which)?.running?.pid, fault.lastsMs);
  const hit = (names: readonly string[], how: WireFault) => async (fault: Fault) => {
    const share = 0.2 + 0.8 * fault.which;
    const { lastsMs } = fault;
    const wereHit = names.map((name) => house.proxies.hit(name, how, { share, lastsMs }));
    await pause(lastsMs);
    return wereHit.every(Boolean);
  };
  const fronts = webs.map(({ name }) => name);
  return {
    "kill web": kill(webs),
    "kill worker": kill(workers),
    "kill backend": async ({ which }) => signal(await backendPid(db, which), "SIGKILL"),
    "kill postgres": async () => signal(house.postgres.pid, "SIGKILL"),
    "pause web": holdOne(webs),
    "pause worker": holdOne(workers),
    "pause backend": async ({ which, lastsMs }) => hold(await backendPid(db, which), lastsMs),
    "cut database": hit(["database"], "cut"),
    "reset database": hit(["database"], "reset"),
    "delay database": hit(["database"], "delay"),
    "half-open database": hit(["database"], "half-open"),
    "cut clients": hit(fronts, "cut"),
    "reset clients": hit(fronts, "reset"),
    "delay clients": hit(fronts, "delay"),
    "half-open clients": hit(fronts, "half-open"),
    "full disk": async ({ lastsMs }) => {
      if (!house.disk?.fill()) return false;
      await pause(lastsMs);
      house.disk.free();
      return true;
    },
    "clock step": async ({ seconds }) => {
      await setClock(db, seconds);
      return true;
    },
  };
}

/** The plan keeps it at or after its beginning; but a step of it may have been lost on the way. */
async function setClock(db: Queryable, seconds: number): Promise<void> {
  await db.run(sql`
    update clock_shift set shift = greatest(shift + make_interval(secs => ${seconds}), '0')`);
}

/** The one that the plan means, or the next that lives: another may be restarting. */
function livingOf(slots: readonly Slot[], which: number): Slot | undefined {
  const first = Math.floor(which * slots.length);
  const inTurn = [...slots.slice(first), ...slots.slice(0, first)];
  return inTurn.find(({ running }) => running !== undefined);
}

async function backendPid(db: Queryable, which: number): Promise<number | undefined> {
  const rows = await db.rows<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where application_name = 'windward' and pid <> pg_backend_pid() order by pid`);
  return rows[Math.floor(which * rows.length)]?.pid;
}

function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(pid, name);
  } catch {
    return false;
  }
}

async function held(pid: number | undefined, wait: () => Promise<unknown>): Promise<boolean> {
  if (!signal(pid, "SIGSTOP")) return false;
  await wait();
  signal(pid, "SIGCONT");
  return true;
}

async function untilBack(db: Queryable, hurry: AbortSignal): Promise<void> {
  for (let tried = 0; tried < 300 && !hurry.aborted; tried++) {
    if (
      await db.run(sql`select 1`).then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(50);
  }
}
