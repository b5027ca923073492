/** What the system knows about a process: its children, whether it runs, where it listens. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTENING = "0A";

export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.split(" ").filter(Boolean).map(Number);
}

/** Of processes that ended without anybody asking for their exit code, too, it says no. */
export function runs(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** How many TCP ports the process listens on, with however many sockets. */
export function portsOf(pid: number): number {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const rows = ["tcp", "tcp6"].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, "utf8").trim().split("\n").slice(1),
  );
  const ports = rows.flatMap((row) => {
    const columns = row.trim().split(/\s+/);
    const isOwn = columns[3] === LISTENING && own.has(`socket:[${columns[9]}]`);
    return isOwn ? [columns[1]?.split(":")[1]] : [];
  });
  return new Set(ports).size;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
