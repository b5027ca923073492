/**
 * What happens to the cluster while callers are at work. Each fault begins with three healthy
 * members and heals what it broke; that they are healthy again is awaited behind it.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { countStatuses, seconds } from "../diary.ts";
import { emptyDisk, fillDisk } from "./disk.ts";
import { askMembers, untilTrue } from "./members.ts";
import { APPS, cutOff, joinAgain } from "./network.ts";
import { type Node, replaceMachine } from "./node.ts";
import { type Fault, type Played, pick, type Stage, untilWriting } from "./stage.ts";

const KILLED_MS_MAX = 15_000;
const LOST_MS_MAX = 40_000;
/** Longer than a lease of patroni.yml. */
const ETCD_AWAY_MS = 32_000;
const TWO_AWAY_MS = 25_000;
const FULL_MS = 20_000;
const AWAY_MS = 8_000;
/** An answer that was in flight. */
const UNDER_WAY_MS = 500;
/** More than a standby has segments in store. */
const SEGMENTS = 14;
const POSTMASTER = "var/lib/postgresql/15/windward/postmaster.pid";

export const FAULTS: readonly Fault[] = [
  {
    name: "postgresql-killed",
    about: "kill -9 of PostgreSQL on the primary",
    silenceMsMax: KILLED_MS_MAX,
    async play(stage) {
      const leader = await stage.cluster.leader();
      process.kill(await postmasterOf(leader), "SIGKILL");
      return untilOver(stage, performance.now(), async () => {});
    },
  },
  {
    name: "node-lost",
    about: "the primary's node loses its power",
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const { machine } = await stage.cluster.leader();
      const from = performance.now();
      await machine.losePower();
      return untilOver(stage, from, () => machine.getPower());
    },
  },
  {
    name: "node-frozen",
    about: "every process of the primary's node is frozen, and thaws when another one leads",
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const { machine } = await stage.cluster.leader();
      const from = performance.now();
      await machine.freeze();
      return untilOver(stage, from, () => machine.thaw());
    },
  },
  {
    name: "cut-off",
    about: "the primary is cut off from the others, and half of the service with it",
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const { name } = await stage.cluster.leader();
      const app = pick(APPS, stage.random);
      stage.say(`${name} and ${app} are on one side, all others on the other`);
      const from = performance.now();
      await cutOff([name, app]);
      return untilOver(stage, from, () => joinAgain([name, app]));
    },
  },
  {
    name: "etcd-away",
    about: `etcd answers nothing on any node, for ${seconds(ETCD_AWAY_MS)} s`,
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const from = performance.now();
      for (const { machine } of stage.cluster.nodes) machine.signal("etcd", "SIGSTOP");
      await sleep(ETCD_AWAY_MS);
      const during = stage.diary.begunSince(from).length;
      stage.say(`${during} acknowledged without etcd`);
      const back = performance.now();
      for (const { machine } of stage.cluster.nodes) machine.signal("etcd", "SIGCONT");
      await untilWriting(stage, back);
      await sleep(5_000);
      return { from, until: performance.now(), complaints: [] };
    },
  },
  {
    name: "backups-away",
    about: "the machine for backups has no power, and another node is made the leader meanwhile",
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const { backups, leader } = stage.cluster;
      const from = performance.now();
      await backups.machine.losePower();
      const first = await leader();
      await first.query("select pg_switch_wal()");
      await sleep(AWAY_MS);
      await first.guide("switchover");
      await untilWriting(stage, performance.now());
      const until = performance.now();
      await backups.machine.getPower();
      // What was kept meanwhile arrives.
      await backups.guide("archive");
      return { from, until, complaints: [] };
    },
  },
  { name: "disk-full", about: "the synchronous standby's disk is full", play: fillStandby },
  { name: "two-lost", about: "two nodes of three lose their power", play: loseTwo },
  {
    name: "node-replaced",
    about: "the replica is gone for ever, and a new machine takes its place",
    silenceMsMax: LOST_MS_MAX,
    async play(stage) {
      const { other } = await stage.cluster.followers();
      const leader = await stage.cluster.leader();
      const from = performance.now();
      await replaceMachine(other);
      await leader.guide("replace-member", other.name);
      await other.guide("new-node");
      await stage.cluster.untilHealthy();
      return { from, until: performance.now(), complaints: [] };
    },
  },
];

async function postmasterOf({ machine }: Node): Promise<number> {
  const [pid = ""] = (await readFile(path.join(machine.folder, POSTMASTER), "utf8")).split("\n");
  return Number(pid);
}

/** Until writing goes on; a little later what was broken comes back. */
async function untilOver(
  stage: Stage,
  from: number,
  heal: () => Promise<unknown>,
): Promise<Played> {
  await untilWriting(stage, from + UNDER_WAY_MS);
  const { name } = await stage.cluster.leader();
  stage.say(`${name} leads; ${seconds(performance.now() - from)} s after the fault`);
  await sleep(4_000 + stage.random(2_000));
  await heal();
  return { from, until: performance.now(), complaints: [] };
}

async function fillStandby(stage: Stage): Promise<Played> {
  const { cluster, diary, say } = stage;
  const leader = await cluster.leader();
  const { sync } = await cluster.followers();
  const from = performance.now();
  await fillDisk(sync.disk.place);
  for (let turn = 0; turn < SEGMENTS; turn++) {
    await leader.query("select pg_switch_wal()");
    await sleep(300);
  }
  const isPassedOver = async () =>
    (await askMembers()).some(({ name, role }) => role === "sync_standby" && name !== sync.name);
  const ms = await untilTrue(`another standby for ${sync.name}`, LOST_MS_MAX, isPassedOver);
  say(
    `${sync.name} has no room; another one is synchronous ${seconds(ms)} s after the last segment`,
  );
  await untilWriting(stage, performance.now());
  await sleep(FULL_MS);
  const until = performance.now();
  await emptyDisk(sync.disk.place);
  const silence = diary.longestSilence(from, until);
  const complaints = silence > LOST_MS_MAX ? [`${seconds(silence)} s without writes`] : [];
  return { from, until, complaints };
}

async function loseTwo(stage: Stage): Promise<Played> {
  const { cluster, diary, random, say } = stage;
  const left = pick(cluster.nodes, random);
  const lost = cluster.nodes.filter((node) => node !== left);
  const from = performance.now();
  await Promise.all(lost.map(({ machine }) => machine.losePower()));
  await sleep(TWO_AWAY_MS);
  const early = diary.begunSince(from + UNDER_WAY_MS);
  const refused = diary.since(from + UNDER_WAY_MS);
  say(`${left.name} alone for ${seconds(TWO_AWAY_MS)} s: ${countStatuses(refused)}`);
  const back = pick(lost, random);
  const backAt = performance.now();
  await back.machine.getPower();
  await untilWriting(stage, from + UNDER_WAY_MS);
  const ms = performance.now() - backAt;
  say(`${back.name} is back; writing again ${seconds(ms)} s later`);
  await sleep(3_000);
  const until = performance.now();
  for (const node of lost) if (node !== back) await node.machine.getPower();
  const complaints = early.map(
    ({ operation, name }) => `${operation} ${name} by one node of three`,
  );
  if (ms > LOST_MS_MAX) complaints.push(`two nodes wrote again only after ${seconds(ms)} s`);
  if (refused.every(({ status }) => status !== 503)) complaints.push("nobody was answered 503");
  return { from, until, complaints };
}
