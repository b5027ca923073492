/** Whose processor time it is: of the service's processes, the clients, and PostgreSQL's. */

import { childrenOf } from "../../testkit/process-facts.ts";
import { busyCpuSeconds, cpuSecondsBelow, cpuSecondsOfEndedChildren } from "../support/cpu-time.ts";
import type { Rig } from "./rig.ts";

interface Look {
  /** Of all programs on the machine. */
  readonly all: number;
  readonly web: number;
  readonly worker: number;
  readonly client: number;
  readonly postgres: number;
  /** Of each process of PostgreSQL. */
  readonly backends: ReadonlyMap<number, number>;
}

export function lookAtProcessors({ web, worker, postmaster }: Rig): Look {
  const { user, system } = process.cpuUsage();
  const backends = childrenOf(postmaster).map((pid) => [pid, secondsOf(pid)] as const);
  return {
    all: busyCpuSeconds(),
    web: cpuSecondsBelow(web.pid),
    worker: worker === undefined ? 0 : cpuSecondsBelow(worker.pid),
    client: (user + system) / 1e6 + cpuSecondsOfEndedChildren(),
    postgres: cpuSecondsBelow(postmaster),
    backends: new Map(backends),
  };
}

/** Seconds between two looks, by what they were spent for. */
export async function processorTimes(
  { db }: Rig,
  before: Look,
  after: Look,
): Promise<Map<string, number>> {
  const { rows } = await db.query(
    "select pid, backend_type, application_name as name from pg_stat_activity",
  );
  const kinds = new Map<number, string>(rows.map((row) => [row.pid, kindOf(row)]));
  const times = new Map<string, number>();
  const add = (what: string, seconds: number) => times.set(what, (times.get(what) ?? 0) + seconds);
  add("Node: web", after.web - before.web);
  add("Node: worker", after.worker - before.worker);
  const postgres = after.postgres - before.postgres;
  let told = 0;
  for (const [pid, seconds] of after.backends) {
    const own = seconds - (before.backends.get(pid) ?? 0);
    told += own;
    add(`PostgreSQL: ${kinds.get(pid) ?? "others"}`, own);
  }
  add("PostgreSQL: others", postgres - told);
  add("clients, merchants and receivers", after.client - before.client);
  const known = [...times.values()].reduce((sum, one) => sum + one, 0);
  add("other programs and the kernel", after.all - before.all - known);
  return times;
}

function kindOf(row: { backend_type: string; name: string }): string {
  return row.backend_type === "client backend" ? `for the ${row.name}` : row.backend_type;
}

function secondsOf(pid: number): number {
  try {
    return cpuSecondsBelow(pid);
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}
