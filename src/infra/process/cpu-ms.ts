/** How long a process has been working, its own time and the system's for it. */

import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** Undefined where the system does not tell, or the process is gone. */
export function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of a program may hold spaces; the columns that count begin after it.
    const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(columns[11]) + Number(columns[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
