/**
 * The last resort: no node has its data any more, and the cluster comes back from the backups. What
 * was not archived is lost then, so callers stop before it, and the service's processes as the
 * guide says; what was there then has to be there afterwards.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { COUNT, describeCounts, differences, readMark } from "../../../testkit/restored-counts.ts";
import { seconds } from "../diary.ts";
import { untilTrue } from "./members.ts";
import { type Fault, type Played, pick, type Stage } from "./stage.ts";

/** Until jobs have ended, too. */
const AT_REST_MS = 8_000;
const LEADER_MS_MAX = 60_000;

export const ALL_LOST: Fault = {
  name: "all-lost",
  about: "the data of all three nodes is gone, and the cluster is restored from the backups",
  isAfterWork: true,
  play: restoreCluster,
};

async function restoreCluster({ cluster, service, random, say }: Stage): Promise<Played> {
  await sleep(AT_REST_MS);
  for (const app of service.apps) await app.stop();
  await cluster.backups.guide("archive");
  const before = readMark(await (await cluster.leader()).query(COUNT, "windward"));
  const from = performance.now();
  for (const node of cluster.nodes) await node.guide("cluster-end");
  const first = pick(cluster.nodes, random);
  await first.guide("cluster-restore", first.name, { WHEN: "" });
  await untilTrue("a leader", LEADER_MS_MAX, () =>
    cluster.leader().then(
      () => true,
      () => false,
    ),
  );
  for (const node of cluster.nodes) if (node !== first) await node.guide("cluster-join");
  await cluster.untilHealthy();
  const until = performance.now();
  const after = readMark(await first.query(COUNT, "windward"));
  for (const app of service.apps) await app.start();
  const note =
    `Restore of the cluster from ${first.name} on: ${describeCounts(after.counts)}; ` +
    `before there were ${describeCounts(before.counts)}; ${seconds(until - from)} s`;
  say(note);
  const complaints = differences("restore of the cluster", after.counts, before.counts);
  return { from, until, complaints, notes: [note] };
}
