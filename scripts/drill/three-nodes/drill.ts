/**
 * The three-node drill: `npm run drill -- --cluster`. Patroni, etcd, PostgreSQL and HAProxy of
 * Debian's packages, set up by the commands of docs/operations.md in network namespaces; the real
 * service before them, and callers who keep a diary. Then nodes are lost, one way after the other,
 * and the diary must be true (Decision 0123).
 */

import { chmod } from "node:fs/promises";
import { createServer } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Haproxy, startHaproxy } from "../../../testkit/haproxy.ts";
import { endAll } from "../../../testkit/processes.ts";
import { randomNumbers } from "../../../testkit/random-numbers.ts";
import type { Tool } from "../../../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../../../testkit/tool/say.ts";
import { startCallers } from "../callers.ts";
import { Diary, seconds } from "../diary.ts";
import { prove } from "../proofs.ts";
import { ALL_LOST } from "./all-lost.ts";
import { readsOf, type Service, startApps } from "./apps.ts";
import { backupScenes } from "./backups.ts";
import { buildCluster, type DatabaseCluster } from "./database.ts";
import { removeLeftovers } from "./disk.ts";
import { FAULTS } from "./faults.ts";
import { makeNetwork, removeNetwork } from "./network.ts";
import { missingFromMachine, type Packages, unpackPackages } from "./packages.ts";
import { keepLogs, writeResults } from "./results.ts";
import type { Fault } from "./stage.ts";
import { type Row, rowOf, tableOf } from "./table.ts";
import { unpackVersion, upgrade } from "./upgrade.ts";

const CALLERS = 8;
const PAUSE_MS = 150;
const WARM_MS = 3_000;
/** A name that the kernel gives to one process at a time. */
const LOCK = "\0windward-drill-cluster";

const BACKUPS = backupScenes();

/** Every fault by its name, as `--only` takes it. */
export const FAULT_NAMES = [
  ...[BACKUPS.first, ...FAULTS, BACKUPS.last].map(({ name }) => name),
  "upgrade",
  ALL_LOST.name,
];

interface Wish {
  readonly seed: number;
  readonly only: readonly string[] | undefined;
  /** The service begins as of this commit, and is upgraded to what is here. */
  readonly from: string | undefined;
}

export async function drillCluster(tool: Tool, wish: Wish): Promise<boolean> {
  const services: Service[] = [];
  let areLogsOfUse = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      areLogsOfUse = false;
    });
  // Also when a caller gets an answer that nobody expected, which ends the drill at once.
  tool.add(async () => {
    if (areLogsOfUse) say(`logs: ${await keepLogs(tool.folder, wish.seed, services[0])}`);
  });
  const isGood = await buildAndPlay(tool, wish, services);
  areLogsOfUse = !isGood;
  return isGood;
}

async function buildAndPlay(
  tool: Tool,
  { seed, only, from }: Wish,
  services: Service[],
): Promise<boolean> {
  const missing = missingFromMachine();
  if (missing !== undefined) throw new Error(missing);
  await lock(tool);
  removeLeftovers(tool.folder);
  await removeNetwork();
  // Nodes run as postgres, and each has a folder of its own in here.
  await chmod(tool.folder, 0o755);
  const packages = await unpackPackages(tool.folder);
  say(`seed ${seed}, PostgreSQL ${packages.versions.now}, Patroni and etcd are unpacked`);
  await tool.keep(makeNetwork, removeNetwork);
  tool.add(endAll);
  const cluster = await buildCluster(packages, tool.folder);
  const kinds = new Set(cluster.nodes.map(({ disk }) => disk.kind));
  say(`three nodes run, each with its own address and disk (${[...kinds].join(", ")})`);
  for (const line of (await (await cluster.leader()).guide("look")).trim().split("\n")) say(line);
  const previous = from === undefined ? undefined : await unpackVersion(from, tool.folder);
  const service = await startApps(cluster, packages, { folder: tool.folder, previous });
  services.push(service);
  say(`${service.apps.length} web processes and as many workers run, ${CALLERS} callers`);
  const proxy = await tool.keep(
    () => startHaproxy(service.apps.map(({ url }) => url)),
    (started) => started.stop(),
  );
  return playAll({ cluster, service, packages, proxy, seed, only, from, folder: tool.folder });
}

async function lock(tool: Tool): Promise<void> {
  const server = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(LOCK, () => resolve(true));
  });
  if (!isOurs) throw new Error("Another three-node drill runs on this machine.");
  tool.add(async () => void server.close());
}

interface Ground extends Wish {
  readonly cluster: DatabaseCluster;
  readonly service: Service;
  readonly packages: Packages;
  readonly proxy: Haproxy;
  readonly folder: string;
}

async function playAll(ground: Ground): Promise<boolean> {
  const { seed, only, from, packages, proxy } = ground;
  const upgraded = upgrade({ versions: packages.versions, proxy: () => proxy, from });
  const all = [BACKUPS.first, ...FAULTS, BACKUPS.last, upgraded, ALL_LOST];
  // Proofs are of this version, so it is the upgrade alone that can begin with another one.
  const wanted = from === undefined ? only : [upgraded.name];
  const chosen = all.filter(({ name }) => wanted === undefined || wanted.includes(name));
  const rows: Row[] = [];
  const notes: string[] = [];
  const complaints: string[] = [];
  for (const [index, fault] of chosen.entries()) {
    say("");
    say(`${index + 1}. ${fault.name}: ${fault.about}`);
    const played = await playOne(fault, ground, `${index + 1} of ${chosen.length}`).catch(
      (error) => {
        say(`WRONG: ${error.message}`);
        complaints.push(`${fault.name}: ${error.message}`);
      },
    );
    // What comes after it would begin without a healthy cluster.
    if (played === undefined) break;
    rows.push(played.row);
    notes.push(...played.notes);
    for (const line of played.complaints) say(`WRONG: ${line}`);
    complaints.push(...played.complaints.map((line) => `${fault.name}: ${line}`));
  }
  const table = tableOf(rows);
  say("");
  for (const line of table.split("\n")) say(line);
  const isWhole = wanted === undefined;
  const file = await writeResults({
    seed,
    table,
    notes,
    complaints,
    isWhole,
    ...packages.versions,
  });
  say(`written to ${file}`);
  const isGood = complaints.length === 0;
  say(isGood ? "Nothing that was acknowledged was lost." : "The drill has failed.");
  return isGood;
}

interface Result {
  readonly row: Row;
  readonly notes: readonly string[];
  readonly complaints: readonly string[];
}

async function playOne(fault: Fault, ground: Ground, place: string): Promise<Result> {
  const { cluster, service, proxy, seed, folder } = ground;
  const diary = new Diary();
  whenQuiet(() => `${place}: ${diary.acknowledged.length} acknowledged`);
  const turn = FAULT_NAMES.indexOf(fault.name);
  const randomOf = (caller: number) => randomNumbers(seed + turn * 1_000 + caller);
  const begin = (shift: number) =>
    startCallers({
      webs: fault.isBehindProxy ? [proxy.url] : service.apps.map(({ url }) => url),
      merchants: service.merchants,
      diary,
      random: randomOf,
      count: CALLERS,
      pauseMs: PAUSE_MS,
      mark: `c${seed}-${turn}${shift === 1 ? "" : `-${shift}`}`,
    });
  let callers = begin(1);
  const random = randomOf(999);
  await sleep(WARM_MS + random(3_000));
  if (fault.isAfterWork) await callers.stop();
  const played = await fault.play({ cluster, service, diary, folder, random, say });
  if (fault.isAfterWork) callers = begin(2);
  const healthyMs = await cluster.untilHealthy();
  say(`three healthy members again after ${seconds(healthyMs)} s`);
  await sleep(WARM_MS);
  await callers.stop();
  const { name } = await cluster.leader();
  const proof = await prove(cluster.urlOf(name), diary);
  for (const line of proof.lines) say(line);
  say(`lists that the standby may serve, so far: ${await readsOf(service)}`);
  const lost = proof.complaints.length;
  const row = rowOf(fault, diary, played, lost);
  const complaints = [...played.complaints, ...proof.complaints];
  for (const app of service.apps) complaints.push(...app.losses());
  const { silenceMsMax = Number.POSITIVE_INFINITY } = fault;
  if (row.silenceMs > silenceMsMax)
    complaints.push(`${seconds(row.silenceMs)} s without writes, ${seconds(silenceMsMax)} at most`);
  const unanswered = fault.isBehindProxy ? diary.unanswered() : [];
  if (unanswered.length > 0) complaints.push(`failed payments: ${unanswered.join(", ")}`);
  say(`${diary.acknowledged.length} acknowledged, ${seconds(row.silenceMs)} s without writes`);
  return { row, notes: played.notes ?? [], complaints };
}
