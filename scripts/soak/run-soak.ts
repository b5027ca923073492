/** One run, from the first process to the verdict. */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { createStopList, type StopList } from "../../src/infra/process/stop-list.ts";
import { endAll } from "../../test/support/processes.ts";
import { checkAll } from "./check/check-all.ts";
import { type House, openHouse } from "./house.ts";
import { openPatiently } from "./open-patiently.ts";
import { makeMerchants, settleIn, signInMainMerchant } from "./merchants.ts";
import type { SoakOptions } from "./options.ts";
import { describeFault, planFaults } from "./plan.ts";
import { chanceOf } from "./random.ts";
import { startFleet } from "./receivers.ts";
import { printReport, say } from "./report.ts";
import { settle } from "./settle.ts";
import { watchAnswers } from "./traffic/answer-watch.ts";
import { openClient } from "./traffic/client.ts";
import { Diary } from "./traffic/diary.ts";
import { startOperator } from "./traffic/operator.ts";
import { runClients } from "./traffic/run-clients.ts";
import { openWire } from "./traffic/wire.ts";
import { startWeather } from "./weather.ts";
import { startWitness } from "./witness.ts";

const PROGRESS_MS = 10_000;

/** Whether everything held. */
export async function runSoak(options: SoakOptions): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-soak-"));
  // PostgreSQL runs as a user of its own, which has to pass here.
  await chmod(folder, 0o711);
  const stops = createStopList();
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
  const { seed, clients: clientCount } = options;
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: house.databaseUrl, connectionsMax: 4, log });
  const diary = new Diary();
  const watch = watchAnswers();
  let isOver = false;
  const ports = house.slots.flatMap(({ port }) => port ?? []);
  const wire = openWire(ports, watch, () => false);
  const fleet = await startFleet(clientCount);
  try {
    const firstCount = Math.ceil(clientCount * 0.75);
    const main = await signInMainMerchant(wire);
    const blanks = await makeMerchants(db, firstCount);
    const merchants = await Promise.all(
      blanks.map((blank, turn) => settleIn(blank, turn, { wire, diary, fleet })),
    );
    const make = (turn: number) => {
      const me = merchants[turn % firstCount];
      if (me === undefined) throw new Error("there are too few merchants");
      const name = `c${turn + 1}`;
      const others = merchants.filter((one) => one !== me);
      const chance = chanceOf(seed, name);
      return openClient({ name, me, isFirst: turn < firstCount, others, chance, wire, diary });
    };
    const clients = Array.from({ length: clientCount }, (_, turn) => make(turn));
    const mainClient = openClient({
      ...{ name: "m1", me: main, isFirst: true, others: merchants, wire, diary },
      chance: chanceOf(seed, "m1"),
    });
    say(`${merchants.length} merchants and ${clientCount} clients are there; the weather begins`);
    const witness = startWitness(db);
    const operator = startOperator(house, diary, chanceOf(seed, "operator"));
    const running = runClients(clients, [mainClient], () => isOver);
    const beganAt = performance.now();
    const weather = startWeather(house, db, seed);
    while (!isDone(options, { diary, kills: weather.kills(), beganAt })) {
      await Promise.race([sleep(PROGRESS_MS), running]);
      const acknowledged = diary.acknowledgedCount();
      const seconds = Math.round((performance.now() - beganAt) / 1_000);
      say(
        `${seconds} s: ${acknowledged} acknowledged, ${diary.reads.count} read, ` +
          `${watch.lostCount} lost, ${weather.kills()} kills`,
      );
    }
    await weather.stop();
    const stormySeconds = (performance.now() - beganAt) / 1_000;
    isOver = true;
    fleet.mend();
    say("the last fault is over");
    await Promise.all([running, operator.stop()]);
    const settled = await settle(db, say);
    await witness.stop();
    const patient = openPatiently(house.databaseUrl, db);
    stops.add(() => patient.close());
    const evidence = { house, db: patient, diary, watch, wire, fleet, merchants, weather, witness, settled };
    const results = await checkAll(evidence, say);
    return printReport({ options, diary, watch, weather, settled, results, stormySeconds });
  } finally {
    isOver = true;
    await wire.close();
    await fleet.close();
    await db.close();
  }
}

function isDone(
  { minutes, operations, kills }: SoakOptions,
  at: { diary: Diary; kills: number; beganAt: number },
): boolean {
  if (performance.now() - at.beganAt >= minutes * 60_000) return true;
  if (operations === undefined && kills === undefined) return false;
  return at.diary.acknowledgedCount() >= (operations ?? 0) && at.kills >= (kills ?? 0);
}
