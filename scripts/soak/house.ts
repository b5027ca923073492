/**
 * The house that is shaken: PostgreSQL as our own child with fsync on, four processes that answer
 * and two that work, started by the very command of `npm start`, and wires between all of them.
 *
 * Whatever dies is started again here and nowhere else, at the same address,
 * as a service manager would do it.
 */

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../../src/infra/db/migrate.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../../src/infra/log.ts";
import {
  endAll,
  type Launched,
  launch,
  type Running,
  start,
  whenReady,
} from "../../testkit/processes.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { type Acquirer, settingsOf, startAcquirer } from "./acquirer.ts";
import { type Proxies, startProxies } from "./proxies.ts";
import { SETTINGS } from "./settings.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const WEBS = 4;
const WORKERS = 2;
const START_AGAIN_MS = 200;
const START_TRIES = 4;
const DATABASE = "soak";

export interface Slot {
  readonly name: string;
  /** Where clients find it, by way of a wire; undefined for a worker. */
  readonly port: number | undefined;
  running: Launched | undefined;
  /** What its processes wrote, the dead ones too. */
  said: string[];
}

export interface House {
  readonly postgres: EmbeddedPostgres;
  /** Straight to the database, for the supervisor alone. */
  readonly databaseUrl: string;
  readonly disk: SmallDisk | undefined;
  readonly proxies: Proxies;
  readonly acquirer: Acquirer;
  readonly slots: readonly Slot[];
  /** Where clients find the service. */
  readonly ports: readonly number[];
  /** One process more, in the same weather. */
  open(name: string, settings: Record<string, string>): Promise<Slot>;
  readonly settings: Readonly<Record<string, string>>;
  /** Every word that any process wrote so far, and PostgreSQL's log. */
  words(): string[];
  /** Where the database keeps its files. */
  readonly folders: readonly string[];
}

export async function openHouse(seed: number, tool: Tool): Promise<House> {
  const { folder } = tool;
  const log = createLog({ level: "silent" });
  const disk = mountSmallDisk(path.join(folder, "disk"));
  tool.add(async () => disk?.remove());
  const dataDir = path.join(folder, "data");
  const settings = { fsync: "on", max_connections: "200" };
  const postgres = await tool.keep(
    () => startEmbeddedPostgres({ dataDir, log, settings }),
    (started) => started.stop(),
  );
  const databaseUrl = await makeDatabase(postgres.url, dataDir, disk);
  await migrate({ url: databaseUrl, log });
  const proxies = startProxies(seed);
  tool.add(() => proxies.close());
  const wired = new URL(databaseUrl);
  wired.port = String(await proxies.open("database", Number(wired.port)));
  const acquirer = await tool.keep(startAcquirer, (started) => started.stop());
  const own = { ...SETTINGS, ...settingsOf(acquirer), DATABASE_URL: wired.href };
  let isOver = false;
  const keepers: Promise<void>[] = [];
  tool.add(async () => {
    isOver = true;
    await endAll();
    await Promise.all(keepers);
  });
  const slots: Slot[] = [];
  const open = async (name: string, mine: Record<string, string>): Promise<Slot> => {
    // The first process of a slot takes a port that is free, those that replace it take the same
    // one. A port found free beforehand could be taken meanwhile by a receiver, which would then
    // answer in the service's place.
    const running = await startPatiently(mine);
    const port = running.url === "" ? undefined : Number(new URL(running.url).port);
    const wire = port === undefined ? undefined : await proxies.open(name, port);
    const slot: Slot = { name, port: wire, running, said: [] };
    keepers.push(keepRunning(slot, { ...mine, PORT: String(port ?? 0) }, () => isOver));
    slots.push(slot);
    return slot;
  };
  const openAll = (role: "web" | "worker", count: number) =>
    Promise.all(turnsOf(count).map((turn) => open(`${role} ${turn}`, { ...own, ROLE: role })));
  const [webs] = await Promise.all([openAll("web", WEBS), openAll("worker", WORKERS)]);
  return {
    postgres,
    databaseUrl,
    disk,
    proxies,
    acquirer,
    slots,
    ports: webs.flatMap(({ port }) => port ?? []),
    open,
    settings: own,
    folders: [dataDir, ...(disk === undefined ? [] : [disk.folder])],
    words: () => [
      ...slots.flatMap(({ said, running }) => [...said, wordsOf(running)]),
      readFileSync(path.join(dataDir, "postgres.log"), "utf8"),
    ],
  };
}

const turnsOf = (count: number) => Array.from({ length: count }, (_, turn) => turn + 1);

async function makeDatabase(
  url: string,
  dataDir: string,
  disk: SmallDisk | undefined,
): Promise<string> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  if (disk !== undefined) {
    const { uid, gid } = statSync(path.join(dataDir, "postgres"));
    disk.own(uid, gid);
    await admin.query(`create tablespace small location '${disk.folder}'`);
  }
  await admin.query(`create database ${DATABASE} ${disk === undefined ? "" : "tablespace small"}`);
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
}

/** On a busy machine one of six that start at once may find PostgreSQL too slow, and end. */
async function startPatiently(settings: Record<string, string>): Promise<Running> {
  for (let tried = 1; tried < START_TRIES; tried++) {
    const running = await start({ settings }).catch(() => undefined);
    if (running !== undefined) return running;
  }
  return start({ settings });
}

/** A process that ends is started again until the house is closed. */
async function keepRunning(
  slot: Slot,
  settings: Record<string, string>,
  isOver: () => boolean,
): Promise<void> {
  while (slot.running !== undefined) {
    await slot.running.ended;
    slot.said.push(wordsOf(slot.running));
    slot.running = undefined;
    await sleep(START_AGAIN_MS);
    if (isOver()) return;
    slot.running = launch({ settings });
    // One that cannot start because the database is away ends by itself.
    await whenReady(slot.running).catch(() => {});
  }
}

function wordsOf(one: Launched | undefined): string {
  return one === undefined ? "" : one.stdout() + one.stderr();
}
