/** One run, from the first process to the verdict (Decision 0055). */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { createStopList, type StopList } from "../../src/infra/process/stop-list.ts";
import { endAll } from "../../test/support/processes.ts";
import { checkAll } from "./check/check-all.ts";
import { type Crowd, gather } from "./crowd.ts";
import { type House, openHouse } from "./house.ts";
import { openPatiently } from "./open-patiently.ts";
import type { SoakOptions } from "./options.ts";
import { describeFault, planFaults } from "./plan.ts";
import { chanceOf } from "./random.ts";
import { printReport, say } from "./report.ts";
import { settle } from "./settle.ts";
import { startOperator } from "./traffic/operator.ts";
import { runClients } from "./traffic/run-clients.ts";
import { startWeather, type Weather } from "./weather.ts";
import { startWitness } from "./witness.ts";

const PROGRESS_MS = 10_000;

/** Whether everything held. */
export async function runSoak(options: SoakOptions): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-soak-"));
  // PostgreSQL runs as a user of its own, which has to pass here.
  await chmod(folder, 0o711);
  const stops = createStopList();
  const interrupt = () => void stops.stopAll().finally(() => process.exit(1));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    tellPlan(options);
    return await runIn(await openHouse(folder, options.seed, stops), options, stops);
  } finally {
    await stops.stopAll();
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
}

/** All of it when the time is known; else it is told by the seed alone. */
function tellPlan({ seed, minutes, operations, kills }: SoakOptions): void {
  say(`seed ${seed}, ${minutes} minutes at most; the same seed repeats the plan`);
  if (operations !== undefined || kills !== undefined) return;
  for (const fault of planFaults(seed)) {
    if (fault.atMs > minutes * 60_000) return;
    process.stdout.write(`  ${describeFault(fault)}\n`);
  }
}

async function runIn(house: House, options: SoakOptions, stops: StopList): Promise<boolean> {
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: house.databaseUrl, connectionsMax: 4, log });
  const patient = openPatiently(house.databaseUrl, db);
  stops.add(() => Promise.all([db.close(), patient.close()]).then(() => {}));
  const ports = house.slots.flatMap(({ port }) => port ?? []);
  const crowd = await gather({ db, ports, seed: options.seed, count: options.clients });
  stops.add(() => crowd.close());
  if (house.disk === undefined) say("a full disk is left out: only root can mount a small one");
  say(`${crowd.merchants.length} merchants are there; the weather begins`);
  const witness = startWitness(db);
  const { weather, stormySeconds, lastFaultAt } = await storm(house, db, crowd, options);
  const settled = await settle(patient, lastFaultAt, say);
  await witness.stop();
  const { diary, watch, wire, fleet, merchants } = crowd;
  const results = await checkAll(
    { house, db: patient, diary, watch, wire, fleet, merchants, weather, witness, settled },
    say,
  );
  return printReport({ options, diary, watch, weather, settled, results, stormySeconds });
}

interface Storm {
  readonly weather: Weather;
  readonly stormySeconds: number;
  readonly lastFaultAt: number;
}

/** Traffic and faults together; then no more faults, and every client finishes what it began. */
async function storm(
  house: House,
  db: Database,
  crowd: Crowd,
  options: SoakOptions,
): Promise<Storm> {
  const { diary, watch, fleet } = crowd;
  let isOver = false;
  const beganAt = performance.now();
  const running = runClients(crowd.clients, [crowd.mainClient], () => isOver);
  const operator = startOperator(house, diary, chanceOf(options.seed, "operator"));
  const weather = startWeather(house, db, options.seed);
  while (!isDone(options, { crowd, kills: weather.kills(), beganAt })) {
    await Promise.race([sleep(PROGRESS_MS), running]);
    const seconds = Math.round((performance.now() - beganAt) / 1_000);
    say(
      `${seconds} s: ${diary.acknowledgedCount()} acknowledged, ${diary.reads.count} read, ` +
        `${watch.lostCount} lost, ${weather.kills()} kills`,
    );
  }
  await weather.stop();
  const lastFaultAt = performance.now();
  isOver = true;
  fleet.mend();
  say("the last fault is over");
  await Promise.all([running, operator.stop()]);
  return { weather, lastFaultAt, stormySeconds: (lastFaultAt - beganAt) / 1_000 };
}

function isDone(
  { minutes, operations, kills }: SoakOptions,
  at: { crowd: Crowd; kills: number; beganAt: number },
): boolean {
  if (performance.now() - at.beganAt >= minutes * 60_000) return true;
  if (operations === undefined && kills === undefined) return false;
  return at.crowd.diary.acknowledgedCount() >= (operations ?? 0) && at.kills >= (kills ?? 0);
}
