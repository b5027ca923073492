/**
 * The minor version of PostgreSQL and the processes of the service, one after the other and by the
 * guide's commands, while callers pay over one address.
 */

import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT } from "../../../testkit/guide/blocks.ts";
import type { Haproxy } from "../../../testkit/haproxy.ts";
import { seconds } from "../diary.ts";
import { run } from "./command.ts";
import type { Node } from "./node.ts";
import type { Fault, Played, Stage } from "./stage.ts";

/** As docs/operations.md says: requests have at most 10 s, and a process is busy when it starts. */
const DRAINED_MS = 11_000;
const WARM_MS = 3_000;

interface Ground {
  readonly versions: { readonly now: string; readonly next: string };
  /** Before both web processes. */
  readonly proxy: () => Haproxy;
  /** The commit as of which the service began. */
  readonly from: string | undefined;
}

/** Beside the modules that are installed here: what an older version needs must still be there. */
export async function unpackVersion(commit: string, folder: string): Promise<string> {
  const previous = path.join(folder, "previous");
  await mkdir(previous);
  const archive = path.join(folder, "previous.tar");
  await run("git", ["-C", PROJECT, "archive", "-o", archive, commit, "--"]);
  await run("tar", ["-xf", archive, "-C", previous]);
  await symlink(path.join(PROJECT, "node_modules"), path.join(previous, "node_modules"));
  return previous;
}

export function upgrade({ versions: { now, next }, proxy, from: commit }: Ground): Fault {
  return {
    name: "upgrade",
    about:
      `PostgreSQL ${now} becomes ${next}, and each process of the service another` +
      (commit === undefined ? ", of the same version" : `, of ${commit} until now`) +
      (now === next ? "; the archive has no other PostgreSQL, so it is the same program" : ""),
    isBehindProxy: true,
    async play(stage) {
      const from = performance.now();
      await upgradeNodes(stage);
      const nodesAt = performance.now();
      stage.say(`all nodes after ${seconds(nodesAt - from)} s`);
      await restartService(stage, proxy());
      stage.say(`all processes of the service ${seconds(performance.now() - nodesAt)} s later`);
      return judge(stage, from, next);
    },
  };
}

async function upgradeNodes({ cluster }: Stage): Promise<void> {
  const { sync, other } = await cluster.followers();
  const first = await cluster.leader();
  for (const node of [other, sync]) await upgradeNode(node, cluster);
  await first.guide("switchover");
  await cluster.untilHealthy();
  await upgradeNode(first, cluster);
}

async function upgradeNode(node: Node, cluster: Stage["cluster"]): Promise<void> {
  await node.guide("upgrade-node");
  await cluster.untilHealthy();
}

async function restartService({ service }: Stage, proxy: Haproxy): Promise<void> {
  for (const [index, app] of service.apps.entries()) {
    const server = `web/web${index + 1}`;
    await proxy.command(`set server ${server} state drain`);
    await sleep(DRAINED_MS);
    await app.restart("web");
    await sleep(WARM_MS);
    await proxy.command(`set server ${server} state ready`);
    await app.restart("worker");
  }
}

async function judge({ cluster, diary }: Stage, from: number, next: string): Promise<Played> {
  const complaints: string[] = [];
  for (const { name, query } of cluster.nodes) {
    const version = await query("show server_version");
    if (!version.startsWith(next)) complaints.push(`${name} runs ${version}`);
  }
  const strange = diary.since(from).filter(({ status }) => status >= 500 && status !== 503);
  if (strange.length > 0) complaints.push(`${strange.length} answers of 5xx other than 503`);
  return { from, until: performance.now(), complaints };
}
