/**
 * The drills: `npm run drill`. With `--cluster` the three-node one of `drill/three-nodes/`; without
 * it the two-node one, which is here. Two PostgreSQL servers of Debian's packages, one following
 * the other synchronously; the real service before them; callers who keep a diary of what was
 * acknowledged. Then servers are killed, and the diary must be true: nothing that was acknowledged
 * is lost. The exit code is 1 when something is.
 *
 * Everything is on 127.0.0.1, in a temporary folder, and gone afterwards.
 */

import { endAll } from "../testkit/processes.ts";
import { randomNumbers } from "../testkit/random-numbers.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { flag, Mistake, maybeText, names, seed as seedOption } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, stampLines, whenQuiet } from "../testkit/tool/say.ts";
import { startCallers } from "./drill/callers.ts";
import { type Cluster, startCluster } from "./drill/cluster.ts";
import { Diary } from "./drill/diary.ts";
import { findPrograms } from "./drill/postgres-programs.ts";
import { prove } from "./drill/proofs.ts";
import { SCENES } from "./drill/scenes.ts";
import { startService } from "./drill/service.ts";
import { drillCluster, FAULT_NAMES } from "./drill/three-nodes/drill.ts";

const CALLERS = 12;
const DRILL_MS_MAX = 420_000;
/** Of a busy machine. */
const CLUSTER_MS_MAX = 1_500_000;

const {
  cluster: isCluster,
  from,
  only,
  seed,
} = readCommand({
  name: "drill",
  about:
    "Kills either of two PostgreSQL servers under load, and proves that nothing acknowledged is " +
    "lost. It needs Debian's package postgresql, version 15 or later. With --cluster: three " +
    "nodes that decide themselves who leads, lost in every way; that needs Debian 12 and root.",
  takes: "Takes two minutes, or twelve with --cluster.",
  options: {
    cluster: flag("three nodes with Patroni, etcd and HAProxy"),
    only: names("faults of the cluster by name", FAULT_NAMES),
    from: maybeText("upgrade the service from this commit, with callers at work", "commit"),
    seed: seedOption(),
  },
  demandFit({ cluster, from, only }) {
    if (from !== undefined && (!cluster || only !== undefined))
      throw new Mistake("--from needs --cluster and goes without --only.");
  },
});
const beganAt = performance.now();
stampLines(() => `${((performance.now() - beganAt) / 1000).toFixed(1).padStart(5)} s  `);

await runTool("drill", async (tool) => {
  const watchdog = setTimeout(
    () => {
      // Uncaught on purpose: runTool then ends everything.
      throw new Error("The drill takes too long and is given up.");
    },
    isCluster ? CLUSTER_MS_MAX : DRILL_MS_MAX,
  );
  tool.add(async () => clearTimeout(watchdog));
  if (isCluster) return drillCluster(tool, { seed, only, from });
  const programs = findPrograms();
  say(`seed ${seed}, PostgreSQL ${programs.version}`);
  const cluster = await tool.keep(
    () => startCluster(programs, tool.folder),
    (started) => started.stop(),
  );
  tool.add(endAll);
  say("a primary and its synchronous standby run");
  return drill(cluster);
});

async function drill(on: Cluster): Promise<boolean> {
  const { webs, merchants } = await startService(on.url);
  say(`two web processes and a worker run; ${merchants.length} merchants, ${CALLERS} callers`);
  let isGood = true;
  for (const [index, scene] of SCENES.entries()) {
    say("");
    say(scene.about);
    const diary = new Diary();
    const place = `scene ${index + 1} of ${SCENES.length}`;
    whenQuiet(() => `${place}: ${diary.acknowledged.length} acknowledged`);
    const random = (caller: number) => randomNumbers(seed + index * 1_000 + caller);
    const mark = `s${seed}-${index}`;
    const callers = startCallers({ webs, merchants, diary, random, count: CALLERS, mark });
    const stage = { cluster: on, diary, say, random: random(999) };
    const complaints = await scene.play(stage).catch((error: Error) => [error.message]);
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
