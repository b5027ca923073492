/**
 * Before a server is started: what an earlier one has left in the cluster. A Windward that was
 * killed leaves its PostgreSQL running, a machine that lost power leaves its lock file.
 *
 * The rule that matters: a server is stopped only when its owner is known to be dead. In every
 * doubt the start is refused with a sentence, because two servers on one cluster, or one stopped
 * under a living Windward, are worse.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { CannotStartDatabase, inUse } from "./cannot-start-database.ts";
import type { Cluster } from "./cluster.ts";
import { endServer } from "./end-server.ts";
import { findLivingOwner } from "./owner-file.ts";
import { connect, takeFromDeadOwner } from "./ownership.ts";
import { type PostmasterFile, readPostmasterFile, removeStaleFile } from "./postmaster-file.ts";
import { endLeftBehind, factsOf, servesCluster } from "./process-facts.ts";
import type { ServerLog } from "./server-process.ts";

/**
 * How long an earlier server may take until it can be asked for its owner; it may be recovering
 * from a crash.
 */
const ANSWER_MS_MAX = 30_000;
const EMPTY_FILE_MS_MAX = 1_000;
const RETRY_MS = 50;

export async function clearTheWay({
  cluster,
  log,
}: {
  cluster: Cluster;
  log: ServerLog;
}): Promise<void> {
  const { folder, dataDir } = cluster;
  for (;;) {
    const file = await readPostmasterFile(folder);
    if (file && (await servesCluster({ pid: file.pid, folder }))) {
      await retireOrphan({ cluster, log, pid: file.pid });
      continue;
    }
    if (file && (await answersFromElsewhere({ cluster, file }))) {
      throw inUse({ dataDir, by: server(file.pid) });
    }
    if (file?.pid === 0 && !(await staysEmpty({ folder, file }))) continue;
    await refuseIfOwned(dataDir);
    return clearWreck(folder);
  }
}

/** Without a server to ask: its owner may be about to start it again. */
async function refuseIfOwned(dataDir: string): Promise<void> {
  const owner = await findLivingOwner(dataDir);
  if (owner !== undefined) throw inUse({ dataDir, by: `process ${owner}` });
}

function server(pid: number): string {
  return `PostgreSQL process ${pid}`;
}

/**
 * What remains of a server that is no more: backends without a postmaster, and a lock file that
 * PostgreSQL would believe. A file whose process is dead is left to PostgreSQL, which also checks
 * the shared memory it names.
 */
export async function clearWreck(folder: string): Promise<void> {
  const file = await readPostmasterFile(folder);
  if (!file || (await servesCluster({ pid: file.pid, folder }))) return;
  await endLeftBehind(folder);
  if (file.pid === 0 || processExists(file.pid)) await removeStaleFile({ folder, text: file.text });
}

async function retireOrphan(on: { cluster: Cluster; log: ServerLog; pid: number }): Promise<void> {
  const { cluster, log, pid } = on;
  const verdict = await askForOwner({ cluster, pid });
  if (verdict === "gone") return;
  if (verdict === "owned") throw inUse({ dataDir: cluster.dataDir, by: server(pid) });
  log.info({ pid }, "stopping the PostgreSQL of an earlier Windward that was killed");
  const isGone = async () => !(await servesCluster({ pid, folder: cluster.folder }));
  const ended = await endServer({ pid, endsWithin: (ms) => becomesTrue({ check: isGone, ms }) });
  await verdict.end().catch(() => undefined);
  if (ended) return;
  throw new CannotStartDatabase(
    `PostgreSQL process ${pid}, left in ${cluster.dataDir} by an earlier Windward, ` +
      "does not stop. End it by hand or restart the machine, then start again.",
  );
}

/** "owned", "gone", or the lock that proves the owner dead. */
async function askForOwner(of: {
  cluster: Cluster;
  pid: number;
}): Promise<"owned" | "gone" | pg.Client> {
  const { folder, password } = of.cluster;
  const deadline = performance.now() + ANSWER_MS_MAX;
  while (performance.now() < deadline) {
    const file = await readPostmasterFile(folder);
    if (file?.pid !== of.pid || !(await servesCluster({ pid: of.pid, folder }))) return "gone";
    try {
      if (file.port !== 0) {
        const lock = await takeFromDeadOwner({ pid: of.pid, port: file.port, password });
        return lock ?? "owned";
      }
    } catch (error) {
      // A wrong password will not become right. Everything else (57P03, too many connections,
      // refused, cut off) is what a server does that starts, stops or is busy.
      if (error instanceof Error && "code" in error && error.code === "28P01") return "owned";
    }
    await sleep(RETRY_MS);
  }
  return "owned";
}

/**
 * Containers may share a volume and a network but not their process ids. There the process of the
 * lock file seems dead while its server answers; PostgreSQL itself would be deceived and write to
 * the same files.
 */
async function answersFromElsewhere(of: {
  cluster: Cluster;
  file: PostmasterFile;
}): Promise<boolean> {
  const { pid, port } = of.file;
  // A postgres that we can see but that serves another folder is not in another container: the
  // number was reused.
  if (pid === 0 || port === 0 || (await factsOf(pid))?.name.endsWith("postgres")) return false;
  try {
    const { password } = of.cluster;
    const client = await connect({ port, password, database: "postgres" });
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** An empty file is a server in its first moment or the remains of a crash; a moment tells. */
function staysEmpty(of: { folder: string; file: PostmasterFile }): Promise<boolean> {
  const hasChanged = async () => (await readPostmasterFile(of.folder))?.text !== of.file.text;
  return becomesTrue({ check: hasChanged, ms: EMPTY_FILE_MS_MAX }).then((changed) => !changed);
}

async function becomesTrue(of: { check(): Promise<boolean>; ms: number }): Promise<boolean> {
  const deadline = performance.now() + of.ms;
  while (!(await of.check())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
