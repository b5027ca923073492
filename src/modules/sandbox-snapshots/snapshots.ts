/**
 * Snapshots of the whole sandbox (Decision 0105): the state of every account and its clock, kept
 * beside the embedded database and brought back.
 */

import assert from "node:assert/strict";
import { migrate } from "../../infra/db/migrate.ts";
import { DATABASE } from "../../infra/embedded-postgres/cluster.ts";
import {
  connectToMaintenanceDatabase,
  copyDatabase,
  dropDatabase,
  exchange,
  keepAsSnapshot,
  listSnapshots,
  named,
  type Snapshot,
  setAside,
} from "../../infra/embedded-postgres/snapshot-store.ts";
import {
  copyOfSnapshot,
  giveWay,
  holdSpares,
  makeSpare,
} from "../../infra/embedded-postgres/spare-copy.ts";
import type { Log } from "../../infra/log.ts";
import type { PauseTogether } from "../../infra/process/pause-together.ts";
import { fixedRefusal, NotFound } from "../../kit/errors.ts";

/** Each is as large as the database. */
export const SNAPSHOTS_MAX = 10;

export class SnapshotExists extends fixedRefusal("snapshot_exists") {}
export class TooManySnapshots extends fixedRefusal("too_many_snapshots") {}
class NoSuchSnapshot extends NotFound {}

export interface Snapshots {
  list(): Promise<Snapshot[]>;
  make(name: string): Promise<Snapshot>;
  restore(name: string): Promise<Snapshot>;
  remove(name: string): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly log: Log;
  readonly pauses: PauseTogether;
}

export function createSnapshots(options: Options): Snapshots {
  const { url } = options;
  return {
    list: () => onMaintenanceDatabase(url, listSnapshots),
    make: (name) => makeSnapshot(options, name),
    restore: (name) => restoreSnapshot(options, name),
    remove: (name) => removeSnapshot(options, name),
  };
}

async function makeSnapshot(options: Options, name: string): Promise<Snapshot> {
  const { url } = options;
  let made: Snapshot | undefined;
  await options.pauses.during(
    async (client) => {
      const all = await listSnapshots(client);
      if (all.some((one) => one.name === name)) throw new SnapshotExists();
      if (all.length >= SNAPSHOTS_MAX) throw new TooManySnapshots();
      await giveWay(client);
      // While everybody goes on: what is written now need not be written during the pause.
      await client.query("checkpoint");
    },
    async (client) => {
      const copy = await copyDatabase(client, DATABASE);
      made = await keepAsSnapshot(client, { url, copy, name });
      // Already now: who restores at once waits for it.
      afterwards(options, { spareOf: name });
    },
  );
  assert(made !== undefined);
  return made;
}

async function restoreSnapshot(options: Options, name: string): Promise<Snapshot> {
  const { url, log } = options;
  let found: Snapshot | undefined;
  let leftOver = "";
  await options.pauses.during(
    async (client) => {
      found = await findSnapshot(client, name);
      // While everybody goes on: only the exchange needs a pause.
      const copy = await copyOfSnapshot(client, name);
      if (copy === undefined) throw new NoSuchSnapshot();
      // It may be of an older version.
      await migrate({ url: named(url, copy), log });
      return copy;
    },
    async (client, copy) => {
      leftOver = await exchange(client, copy);
    },
  );
  assert(found !== undefined);
  afterwards(options, { spareOf: name, drop: [leftOver] });
  return found;
}

async function removeSnapshot(options: Options, name: string): Promise<void> {
  const drop = await onMaintenanceDatabase(options.url, async (client) => {
    await findSnapshot(client, name);
    await giveWay(client);
    await holdSpares(client);
    const names = await setAside(client, name);
    // Somebody else was quicker.
    if (names.length === 0) throw new NoSuchSnapshot();
    return names;
  });
  afterwards(options, { drop });
}

async function findSnapshot(client: Client, name: string): Promise<Snapshot> {
  const found = (await listSnapshots(client)).find((one) => one.name === name);
  if (found === undefined) throw new NoSuchSnapshot();
  return found;
}

/** Not waited for: each takes seconds, and the next start would drop what is left over. */
function afterwards(
  { url, log }: Options,
  { spareOf, drop = [] }: { spareOf?: string; drop?: readonly string[] },
): void {
  const work = async () => {
    if (spareOf !== undefined) await makeSpare(url, spareOf);
    for (const name of drop)
      await onMaintenanceDatabase(url, (client) => dropDatabase(client, name));
  };
  void work().catch((err) =>
    log.warn({ err, spareOf, drop }, "after a snapshot there is work left for the next start"),
  );
}

async function onMaintenanceDatabase<T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connectToMaintenanceDatabase(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Client = Awaited<ReturnType<typeof connectToMaintenanceDatabase>>;
