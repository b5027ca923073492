/** One run, from the first process to the verdict (Decision 0055). */

import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { say, stampLines, whenQuiet } from "../../testkit/tool/say.ts";
import { behave, misbehave } from "./acquirer.ts";
import { checkAll } from "./check/check-all.ts";
import { type House, openHouse } from "./house.ts";
import { openPatiently } from "./open-patiently.ts";
import type { SoakOptions } from "./options.ts";
import { gather, type Participants } from "./participants.ts";
import { describeFault, planFaults } from "./plan.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { chanceOf } from "./random.ts";
import { printReport } from "./report.ts";
import { bothOf, settle } from "./settle.ts";
import { startOperator } from "./traffic/operator.ts";
import { type Pair, workAsPair } from "./traffic/pair.ts";
import { writeLetters } from "./traffic/post.ts";
import { runClients } from "./traffic/run-clients.ts";
import { startWeather, type Weather } from "./weather.ts";
import { startWitness } from "./witness.ts";

const LOOK_MS = 1_000;

/** Whether everything held. */
export async function runSoak(options: SoakOptions, tool: Tool): Promise<boolean> {
  stampLines(() => `${new Date().toISOString().slice(11, 19)} `);
  tellPlan(options);
  whenQuiet(() => "PostgreSQL and the processes are being started");
  return runIn(await openHouse(options.seed, tool), options, tool);
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

async function runIn(house: House, options: SoakOptions, tool: Tool): Promise<boolean> {
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: house.databaseUrl, connectionsMax: 4, log });
  const patient = openPatiently(house.databaseUrl, db);
  tool.add(() => Promise.all([db.close(), patient.close()]).then(() => {}));
  whenQuiet(() => `${options.clients} clients are signing in`);
  const { ports } = house;
  const { seed, clients: count } = options;
  const { acquirer } = house;
  const participants = await gather({ db, ports, seed, count, acquirer });
  tool.add(() => participants.close());
  const post = await openPostOffice(house, tool, seed);
  const pair = await participants.openPair();
  if (house.disk === undefined) say("a full disk is left out: only root can mount a small one");
  say(`${participants.merchants.length} merchants are there; the weather begins`);
  const witness = startWitness(db);
  const { weather, stormySeconds, lastFaultAt } = await storm({
    house,
    db,
    participants,
    post,
    pair,
    options,
    tool,
  });
  const settled = bothOf(
    ...(await Promise.all([
      settle(patient, { lastFaultAt, say, acquirer }),
      settle(post.db, { lastFaultAt, say: (line) => say(`post office: ${line}`) }),
    ])),
  );
  await witness.stop();
  // A crash of PostgreSQL forgets what was written since its last look at the tables.
  await Promise.all([patient.run(sql`analyze`), post.db.run(sql`analyze`)]);
  await participants.signInAnew();
  const { diary, watch, wire, fleet, merchants } = participants;
  const results = await checkAll(
    {
      ...{ house, acquirer, post, db: patient, diary, watch, wire, fleet, merchants },
      ...{ weather, witness, settled },
    },
    (line) => {
      say(line);
      whenQuiet(() => `still ${line}`);
    },
  );
  return printReport({ options, diary, watch, weather, settled, results, stormySeconds });
}

interface Storm {
  readonly weather: Weather;
  readonly stormySeconds: number;
  readonly lastFaultAt: number;
}

/** Traffic and faults together; then no more faults, and every client finishes what it began. */
async function storm(given: {
  house: House;
  db: Database;
  participants: Participants;
  post: PostOffice;
  pair: Pair;
  options: SoakOptions;
  tool: Tool;
}): Promise<Storm> {
  const { house, db, participants, post, pair, options, tool } = given;
  const { diary, fleet } = participants;
  let isOver = false;
  const beganAt = performance.now();
  const running = Promise.all([
    runClients(participants.clients, [participants.mainClient], () => isOver),
    writeLetters(post.clients, () => isOver),
    workAsPair(pair, () => isOver),
  ]);
  const operator = startOperator(house, diary, chanceOf(options.seed, "operator"));
  await misbehave(house.acquirer, options.seed);
  const weather = startWeather(house, db, options.seed);
  tool.add(() => weather.calm());
  const progress = (): Progress => ({ participants, kills: weather.kills(), beganAt });
  whenQuiet(() => howFar(options, progress()));
  while (!isDone(options, progress())) await Promise.race([sleep(LOOK_MS), running]);
  say(howFar(options, progress()));
  await weather.stop();
  await Promise.all([behave(house.acquirer), post.mailbox.mend()]);
  const lastFaultAt = performance.now();
  isOver = true;
  fleet.mend();
  say("the last fault is over");
  whenQuiet(() => `clients end what they began; ${diary.acknowledgedCount()} acknowledged`);
  await Promise.all([running, operator.stop()]);
  return { weather, lastFaultAt, stormySeconds: (lastFaultAt - beganAt) / 1_000 };
}

interface Progress {
  readonly participants: Participants;
  readonly kills: number;
  readonly beganAt: number;
}

/** Unanswered are requests whose answer a fault took, as it should: they are sent again. */
function howFar(
  options: SoakOptions,
  { participants: { diary, watch }, kills, beganAt }: Progress,
) {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  const of = (wanted: number | undefined) => (wanted === undefined ? "" : ` of ${wanted}`);
  return (
    `${seconds}${of(Math.round(options.minutes * 60))} s: ` +
    `${diary.acknowledgedCount()}${of(options.operations)} acknowledged, ` +
    `${diary.reads.count} read, ${watch.unansweredCount} unanswered, ` +
    `${kills}${of(options.kills)} kills`
  );
}

function isDone({ minutes, operations, kills }: SoakOptions, at: Progress): boolean {
  if (performance.now() - at.beganAt >= minutes * 60_000) return true;
  if (operations === undefined && kills === undefined) return false;
  return at.participants.diary.acknowledgedCount() >= (operations ?? 0) && at.kills >= (kills ?? 0);
}
