/** The cluster of the three-node drill: built by the guide's commands, and watched. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { variablesOf } from "../../../testkit/guide/unit-variables.ts";
import { type BackupMachine, makeBackupMachine } from "./backup-machine.ts";
import { askLeader, askMembers, describe, isHealthy, untilTrue } from "./members.ts";
import { addressOf, NODES, type NodeName } from "./network.ts";
import { makeNode, type Node, setUp } from "./node.ts";
import type { Packages } from "./packages.ts";

const HEALTHY_MS_MAX = 150_000;
const FOLLOWERS = `select count(*) filter (where sync_state = 'sync') || '/' || count(*)
  from pg_stat_replication where state = 'streaming'`;

export interface DatabaseCluster {
  readonly nodes: readonly Node[];
  readonly backups: BackupMachine;
  node(name: NodeName): Node;
  leader(): Promise<Node>;
  /** The synchronous standby, and the other one. */
  followers(): Promise<{ readonly sync: Node; readonly other: Node }>;
  /** Three members, and PostgreSQL itself says that it streams to two, to one synchronously. */
  untilHealthy(): Promise<number>;
  /** How a proof reads from this node, without the proxy. */
  urlOf(name: NodeName, port?: number): string;
  /** How the service finds the primary and the standby, by the proxy beside it. */
  readonly serviceUrl: string;
  readonly standbyUrl: string;
}

export async function buildCluster(packages: Packages, folder: string): Promise<DatabaseCluster> {
  const nodes = await Promise.all(NODES.map((name) => makeNode(name, { packages, folder })));
  const [first] = nodes;
  if (first === undefined) throw new Error("a cluster has nodes");
  await first.guide("certificates");
  await first.guide("passwords");
  const backups = await makeBackupMachine(packages, folder);
  for (const node of nodes) await setUp(node);
  const common = path.join(folder, "etc/windward-ca");
  const passwords = variablesOf(await readFile(path.join(common, "passwords"), "utf8"));
  await Promise.all(nodes.map((node) => node.guide("start")));
  const node = (name: NodeName) => nodes.find((one) => one.name === name) ?? first;
  const urlAt = (host: string) =>
    `postgres://windward:${passwords.windward}@${host}/windward` +
    `?sslmode=verify-full&sslrootcert=${path.join(common, "ca.crt")}`;
  const cluster: DatabaseCluster = {
    nodes,
    backups,
    node,
    serviceUrl: urlAt("127.0.0.1:5430"),
    standbyUrl: urlAt("127.0.0.1:5431"),
    urlOf: (name, port = 5432) => urlAt(`${addressOf(name)}:${port}`),
    async leader() {
      const name = await askLeader();
      if (name === undefined) throw new Error("nobody leads the cluster");
      return node(name);
    },
    async followers() {
      const members = await askMembers();
      const of = (role: string) => {
        const member = members.find((one) => one.role === role);
        if (member === undefined) throw new Error(`there is no ${role}: ${describe(members)}`);
        return node(member.name);
      };
      return { sync: of("sync_standby"), other: of("replica") };
    },
    async untilHealthy() {
      const isWhole = async () => {
        if (!isHealthy(await askMembers())) return false;
        const leader = await cluster.leader().catch(() => undefined);
        return (await leader?.query(FOLLOWERS).catch(() => "")) === "1/2";
      };
      return untilTrue("three healthy members", HEALTHY_MS_MAX, isWhole).catch(async (error) => {
        throw new Error(`${error.message}: ${describe(await askMembers())}`);
      });
    },
  };
  await cluster.untilHealthy();
  await (await cluster.leader()).guide("database");
  await backups.guide("first-backup");
  return cluster;
}
