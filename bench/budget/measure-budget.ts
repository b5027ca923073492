/**
 * Where the time of a payment goes (`npm run bench -- --budget`): of a payment request, of a whole
 * checkout and of a webhook under load, what each process, statement, trigger, table and index
 * took; and beside the first two the sketch that writes their rows without a rule. Written to
 * `bench/results/budget/`, so that a change can be held against what was before it.
 *
 * It is no measure of speed: counting costs. Node's own parts are measured in a load of their own,
 * because a profile costs more than the rest.
 */

import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import type { Environment } from "../../src/kit/vocabulary.ts";
import { PATH } from "../../testkit/payment-requests.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { say } from "../../testkit/tool/say.ts";
import { makeEndpoints, startReceiver, tellEach } from "../scenes/webhooks.ts";
import { askAgain } from "../support/ask-again.ts";
import { buyFor } from "../support/check-out.ts";
import { describeMachine } from "../support/machine.ts";
import { ORDER } from "../support/open-checkout.ts";
import { type Budget, type NodeTimes, writeBudgets } from "./budget-text.ts";
import { clockUs, profileFlags, readProfile } from "./node-profile.ts";
import { lookAtProcessors, processorTimes } from "./processor-time.ts";
import { type Rig, setCountingServer, stopServices, withRig, withSketchRig } from "./rig.ts";
import { functionTimes, lookAtFunctions, readStatements, resetStatements } from "./statements.ts";
import { readWal, walPosition } from "./wal.ts";

const CONNECTIONS = 64;
const MERCHANTS = 200;
const WARM_SECONDS_MAX = 40;
/** A backend that does nothing tells what it counted after ten seconds. */
const TELLING_MS = 11_000;

interface Load {
  readonly name: string;
  readonly what: string;
  /** Counts what is counted as one, as `count`. */
  readonly counting: string;
  /** By then, on a busy machine too, what is hot is compiled, and all merchants have had some. */
  readonly warmMin: number;
  /** Whether a sketch of it is measured as well, and whether its payments are paid. */
  readonly sketch?: "opened" | "paid";
  open(rig: Rig): Promise<{
    run(seconds: number): Promise<unknown>;
    close(): Promise<void>;
  }>;
}

interface Seconds {
  readonly warmUp: number;
  readonly load: number;
  readonly isQuick: boolean;
}

const paymentsOf = (status: string) =>
  `select count(*)::int as count from transactions where status = '${status}'`;

const LOADS: readonly Load[] = [
  {
    ...{ name: "requests", what: "Payment request", counting: paymentsOf("incomplete") },
    ...{ warmMin: 8_000, open: openRequests, sketch: "opened" },
  },
  {
    ...{ name: "checkouts", what: "Whole checkout", counting: paymentsOf("success") },
    ...{ warmMin: 1_000, open: openCheckouts, sketch: "paid" },
  },
  {
    ...{ name: "webhooks", what: "Webhook", warmMin: 2_000, open: openWebhooks },
    counting: "select count(*)::int as count from webhook_deliveries where state = 'delivered'",
  },
];

/** Gives the file. */
export async function measureBudget(tool: Tool, { isQuick }: { isQuick: boolean }) {
  const seconds = { isQuick, warmUp: isQuick ? 2 : 5, load: isQuick ? 2 : 8 };
  const settings = await setCountingServer(tool);
  const about = { ...describeMachine(), load: os.loadavg()[0] ?? 0 };
  const budgets: Budget[] = [];
  for (const load of LOADS) {
    say(`\n${load.what}`);
    const counted = await withRig(settings, { name: `budget_${load.name}` }, (rig) =>
      measure(rig, load, seconds),
    );
    const folder = path.join(tool.folder, `profiles-${load.name}`);
    const how = { name: `profile_${load.name}`, flags: profileFlags(folder) };
    const node = await withRig(settings, how, (rig) => profile(rig, load, { folder, seconds }));
    budgets.push({ ...counted, node });
    if (load.sketch !== undefined) budgets.push(await measureSketch(settings, load, seconds));
  }
  return writeBudgets(about, budgets, { isQuick });
}

async function measure(rig: Rig, load: Load, seconds: Seconds): Promise<Omit<Budget, "node">> {
  const { run, close } = await load.open(rig);
  await rig.db.query("checkpoint");
  await warmUp(rig, load, run, seconds);
  await sleep(TELLING_MS);
  const functionsBefore = await lookAtFunctions(rig);
  const countBefore = await count(rig, load);
  const from = await walPosition(rig);
  await resetStatements(rig);
  const processorsBefore = lookAtProcessors(rig);
  const beganAt = performance.now();
  await run(seconds.load);
  const took = (performance.now() - beganAt) / 1_000;
  const processors = lookAtProcessors(rig);
  const statements = await readStatements(rig);
  const to = await walPosition(rig);
  const processorSeconds = await processorTimes(rig, processorsBefore, processors);
  const payments = (await count(rig, load)) - countBefore;
  say(`${payments} in ${took.toFixed(1)} s; reading what was counted`);
  await close();
  await stopServices(rig);
  const functions = functionTimes(functionsBefore, await lookAtFunctions(rig));
  const written = await readWal(rig, from, to);
  return { what: load.what, payments, took, processorSeconds, statements, functions, written };
}

/** Its one process is not profiled: there is nothing to find in it. */
async function measureSketch(
  settings: Record<string, string>,
  load: Load,
  seconds: Seconds,
): Promise<Budget> {
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  const isPaid = load.sketch === "paid";
  const name = `budget_sketch_${load.name}`;
  const of = isPaid ? { name, receiver: receiver.url } : { name };
  const what = `${load.what}, without a rule`;
  say(`\n${what}`);
  const counted = await withSketchRig(settings, of, (rig) => {
    const till = { url: rig.url, merchants: [String(ORDER.account_number)], arrived };
    const buy = async () => ({ run: (time: number) => buyFor(till, time), async close() {} });
    return measure(rig, { ...load, what, ...(isPaid && { open: buy }) }, seconds);
  }).finally(() => receiver.close());
  return { ...counted, node: { payments: 1, web: new Map(), worker: new Map() } };
}

async function profile(
  rig: Rig,
  load: Load,
  { folder, seconds }: { folder: string; seconds: Seconds },
): Promise<NodeTimes> {
  const { run, close } = await load.open(rig);
  await warmUp(rig, load, run, seconds);
  const countBefore = await count(rig, load);
  const fromUs = clockUs();
  await run(seconds.load / 2);
  const span = { fromUs, toUs: clockUs() };
  const payments = (await count(rig, load)) - countBefore;
  await close();
  await stopServices(rig);
  const { web, worker } = rig;
  return {
    payments,
    web: readProfile(folder, web.pid, span),
    worker: worker === undefined ? new Map() : readProfile(folder, worker.pid, span),
  };
}

async function warmUp(
  rig: Rig,
  load: Load,
  run: (seconds: number) => Promise<unknown>,
  { warmUp: secondsOnce, isQuick }: Seconds,
): Promise<void> {
  let seconds = 0;
  do {
    await run(secondsOnce);
    seconds += secondsOnce;
  } while (!isQuick && seconds < WARM_SECONDS_MAX && (await count(rig, load)) < load.warmMin);
}

async function count({ db }: Rig, { counting }: Load): Promise<number> {
  return (await db.query(counting)).rows[0].count;
}

async function openRequests({ url }: Rig) {
  const burst = { url: url + PATH, connections: CONNECTIONS, order: ORDER };
  return {
    async run(seconds: number) {
      const { failures } = await askAgain({ ...burst, seconds });
      // A machine that is too busy to answer in time can still be counted on.
      if (failures > 0) say(`${failures} payment requests failed`);
    },
    async close() {},
  };
}

async function openCheckouts({ url, database }: Rig) {
  const { db, merchants, arrived, receiver } = await openShops(database, "sandbox");
  await db.close();
  return {
    run: (seconds: number) => buyFor({ url, merchants, arrived }, seconds),
    close: receiver.close,
  };
}

/** Of events that this process writes, so that nothing else is told. */
async function openWebhooks({ database }: Rig) {
  const { receiver, ...yard } = await openShops(`${database}?application_name=bench`, "live");
  return {
    async run(seconds: number) {
      const endsAt = performance.now() + seconds * 1_000;
      while (performance.now() < endsAt) await tellEach(yard);
    },
    async close() {
      await yard.db.close();
      await receiver.close();
    },
  };
}

async function openShops(url: string, environment: Environment) {
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "warn" }) });
  const merchants = await makeEndpoints(db, receiver.url, { count: MERCHANTS, environment });
  return { db, merchants, arrived, receiver };
}
