/**
 * Two PostgreSQL servers and the door to the one that leads. A commit is
 * answered once both have it, and the door is closed before another server is promoted, so that at
 * no time two of them take commits.
 */

import path from "node:path";
import { findFreePort } from "../../src/infra/embedded-postgres/server-process.ts";
import { type DatabaseDoor, openDoor } from "./database-door.ts";
import {
  copyPrimary,
  makePrimary,
  NODE_NAMES,
  type NodeName,
  type PostgresNode,
  rewind,
  serviceUrl,
} from "./postgres-node.ts";
import type { Programs } from "./postgres-programs.ts";

export interface Cluster {
  /** By way of the door. */
  readonly url: string;
  primary(): PostgresNode;
  standby(): PostgresNode;
  /** The standby leads from now on, and alone; tells how long it took. */
  failOver(): Promise<{ promotedMs: number }>;
  /** The former primary follows the new one, and commits wait for it again. */
  takeBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(programs: Programs, folder: string): Promise<Cluster> {
  const ports: Record<string, number> = {};
  for (const name of NODE_NAMES) ports[name] = await findFreePort();
  const placeOf = (name: NodeName) => ({
    name,
    port: ports[name] ?? 0,
    folder: path.join(folder, name),
    programs,
  });
  const door: DatabaseDoor = await openDoor();
  let primary = await makePrimary(placeOf("node_a"));
  let standby = await copyPrimary(placeOf("node_b"), primary);
  await standby.start();
  await primary.waitFor(standby.name);
  door.leadTo(primary.port);
  return {
    url: serviceUrl(door.port),
    primary: () => primary,
    standby: () => standby,
    async failOver() {
      const beganAt = performance.now();
      door.leadTo(undefined);
      await standby.promote();
      const promotedMs = performance.now() - beganAt;
      [primary, standby] = [standby, primary];
      door.leadTo(primary.port);
      return { promotedMs };
    },
    async takeBack() {
      standby = await rewind(placeOf(standby.name), primary);
      await standby.start();
      await primary.waitFor(standby.name);
    },
    async stop() {
      await door.close();
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
