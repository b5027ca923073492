/**
 * What the operating system knows about a process: is it running, who is its parent, is it the
 * server of this cluster.
 *
 * Linux tells through /proc, other systems through `ps`. A zombie counts as gone: it runs nothing
 * and holds nothing, but kill(pid, 0) still finds it, which is why PostgreSQL itself takes it for a
 * living server.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

interface ProcessFacts {
  readonly state: string;
  readonly parent: number;
  readonly name: string;
  /** In the system's own words; only good for comparing. */
  readonly startedAt: string;
}

const LEFT_BEHIND_MS_MAX = 2_000;

/** The facts of a process that runs, or undefined when there is none or only a zombie. */
export async function factsOf(pid: number): Promise<ProcessFacts | undefined> {
  const facts = process.platform === "linux" ? await factsFromProc(pid) : await factsFromPs(pid);
  return facts && !/^[ZXx]/.test(facts.state) ? facts : undefined;
}

/** Is this process a PostgreSQL server that works in this cluster folder? */
export async function servesCluster(at: { pid: number; folder: string }): Promise<boolean> {
  const facts = await factsOf(at.pid);
  if (!facts?.name.endsWith("postgres")) return false;
  if (process.platform !== "linux") return true;
  try {
    // A server's working directory is its cluster. Inodes are compared because paths may differ by
    // links.
    const [theirs, ours] = await Promise.all([stat(`/proc/${at.pid}/cwd`), stat(at.folder)]);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    // Another user's process: PostgreSQL insists on running as the owner of its folder, so it is
    // not ours.
    return false;
  }
}

/**
 * Ends the backends whose postmaster was killed. They leave by themselves when idle, but one in the
 * middle of a long query goes on, and PostgreSQL refuses to start as long as one is attached to the
 * old shared memory.
 */
export async function endLeftBehind(folder: string): Promise<void> {
  if (process.platform !== "linux") return;
  const deadline = performance.now() + LEFT_BEHIND_MS_MAX;
  for (let signal: NodeJS.Signals = "SIGQUIT"; ; signal = "SIGKILL") {
    const pids = await findLeftBehind(folder);
    if (pids.length === 0 || performance.now() > deadline) return;
    for (const pid of pids) sendSignal({ pid, signal });
    await sleep(signal === "SIGQUIT" ? 100 : 20);
  }
}

/** Sends a signal; false when there is no such process any more. */
export function sendSignal(to: { pid: number; signal: NodeJS.Signals }): boolean {
  try {
    return process.kill(to.pid, to.signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

async function findLeftBehind(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    const facts = Number.isInteger(pid) ? await factsOf(pid) : undefined;
    if (facts?.name !== "postgres" || !(await servesCluster({ pid, folder }))) continue;
    // Children call themselves "postgres: …"; one whose parent is a postgres still has its
    // postmaster.
    const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const parent = await factsOf(facts.parent);
    if (title.startsWith("postgres: ") && parent?.name !== "postgres") found.push(pid);
  }
  return found;
}

async function factsFromProc(pid: number): Promise<ProcessFacts | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // `pid (name) state parent …`: the name may itself hold spaces and brackets.
  const match = line && /^\d+ \((.*)\) (.*)/s.exec(line);
  if (!match) return undefined;
  const fields = match[2]?.split(" ") ?? [];
  const [state = "", parent] = fields;
  return { name: match[1] ?? "", state, parent: Number(parent), startedAt: fields[19] ?? "" };
}

async function factsFromPs(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const columns = ["-o", "state=", "-o", "ppid=", "-o", "lstart=", "-o", "comm="];
    const { stdout } = await promisify(execFile)("ps", [...columns, "-p", String(pid)]);
    const [state = "", parent = "", ...rest] = stdout.trim().split(/\s+/);
    // lstart is five words, as in "Sat Nov 15 02:00:05 2025".
    const startedAt = rest.slice(0, 5).join(" ");
    return { state, parent: Number(parent), name: rest.slice(5).join(" "), startedAt };
  } catch (error) {
    const hasNoPs = error instanceof Error && "code" in error && error.code === "ENOENT";
    // Where there is no ps either (Windows), a living process is presumed to be what the pid file
    // says it is.
    if (!hasNoPs || !sendsTo(pid)) return undefined;
    return { state: "R", parent: 0, name: "postgres", startedAt: "" };
  }
}

function sendsTo(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
