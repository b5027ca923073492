/**
 * The two-node drill: `npm run drill`, or `npm run drill -- <seed>`. Two PostgreSQL servers of
 * Debian's packages, one following the other synchronously; the real service before them; callers
 * who keep a diary of what was acknowledged. Then servers are killed, and the diary must be true:
 * nothing that was acknowledged is lost. The exit code is 1 when something is.
 *
 * Everything is on 127.0.0.1, in a temporary folder, and gone afterwards. It takes two minutes.
 */

import { randomInt } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { randomNumbers } from "../test/ledger/model.ts";
import { endAll } from "../test/support/processes.ts";
import { startCallers } from "./drill/callers.ts";
import { type Cluster, startCluster } from "./drill/cluster.ts";
import { Diary } from "./drill/diary.ts";
import { findPrograms } from "./drill/postgres-programs.ts";
import { prove } from "./drill/proofs.ts";
import { SCENES } from "./drill/scenes.ts";
import { startService } from "./drill/service.ts";

const CALLERS = 12;
const DRILL_MS_MAX = 170_000;

const seed = Number(process.argv[2] ?? randomInt(2 ** 31));
const beganAt = performance.now();
const say = (line: string) => {
  const at = ((performance.now() - beganAt) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${at} s  ${line}\n`);
};
const folder = await mkdtemp(path.join(tmpdir(), "windward-drill-"));
await chmod(folder, 0o755);
let cluster: Cluster | undefined;
const watchdog = setTimeout(
  () => giveUp("The drill takes too long and is given up."),
  DRILL_MS_MAX,
);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => giveUp("Stopped."));
try {
  const programs = findPrograms();
  say(`seed ${seed}, PostgreSQL ${programs.version}`);
  cluster = await startCluster(programs, folder);
  say("a primary and its synchronous standby run");
  process.exitCode = (await drill(cluster)) ? 0 : 1;
} finally {
  clearTimeout(watchdog);
  await cleanUp();
}

async function giveUp(why: string): Promise<void> {
  say(why);
  await cleanUp();
  process.exit(1);
}

async function cleanUp(): Promise<void> {
  await endAll();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function drill(on: Cluster): Promise<boolean> {
  const { webs, merchants } = await startService(on.url);
  say(`two web processes and a worker run; ${merchants.length} merchants, ${CALLERS} callers`);
  let isGood = true;
  for (const [index, scene] of SCENES.entries()) {
    say("");
    say(scene.about);
    const diary = new Diary();
    const random = (caller: number) => randomNumbers(seed + index * 1_000 + caller);
    const mark = `s${seed}-${index}`;
    const callers = startCallers({ webs, merchants, diary, random, count: CALLERS, mark });
    const complaints = [...(await scene.play({ cluster: on, diary, say, random: random(999) }))];
    await callers.stop();
    const proof = await prove(on.url, diary);
    for (const line of proof.lines) say(line);
    for (const line of [...complaints, ...proof.complaints]) say(`WRONG: ${line}`);
    isGood &&= complaints.length === 0 && proof.complaints.length === 0;
  }
  say("");
  say(isGood ? "Nothing that was acknowledged was lost." : "The drill has failed.");
  return isGood;
}
