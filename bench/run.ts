/**
 * Measures Windward beside its yardsticks in one run: `npm run bench`, or `npm run bench --
 * --quick` within a few minutes. What is promised are ratios to a yardstick of the same minutes: a
 * figure alone says more about the machine. The warm-up is long because the compiler still works
 * on what is hot ten seconds after a start.
 */

import { authenticatedRead, type Figures } from "./scenes/authenticated-read.ts";
import { historyPaging, type PageTimes } from "./scenes/history-paging.ts";
import { ledgerPosting, type PostingFigures } from "./scenes/ledger-posting.ts";
import { paymentRequest, type RequestFigures } from "./scenes/payment-request.ts";
import { type AttackFigures, pictureAttack } from "./scenes/picture-attack.ts";
import { startTimes } from "./scenes/start.ts";
import { type WebhookFigures, webhooks } from "./scenes/webhooks.ts";
import { type CheckoutFigures, wholeCheckout } from "./scenes/whole-checkout.ts";
import { type WithdrawalFigures, withdrawals } from "./scenes/withdrawals.ts";
import { describeMachine } from "./support/machine.ts";
import { type Goal, goalRow, meets, round, say, table, writeResults } from "./support/report.ts";
import { setStage } from "./support/stage.ts";

const isQuick = process.argv.includes("--quick");
const pace = isQuick
  ? { rounds: 2, seconds: 3, warmUpSeconds: 4 }
  : { rounds: 5, seconds: 4, warmUpSeconds: 10 };

const machine = describeMachine();
say(`Windward on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}\n`);
const stage = await setStage();
try {
  const starts = await startTimes(stage);
  const reads = await authenticatedRead(stage, pace);
  const requests = await paymentRequest(stage, pace);
  const checkouts = await wholeCheckout(stage, pace);
  const attack = await pictureAttack(stage, pace);
  const postings = await ledgerPosting(stage, pace);
  const pages = await historyPaging(stage, isQuick);
  const withdrawn = await withdrawals(stage, pace);
  const deliveries = await webhooks(stage, pace);
  const goals = [
    ...goalsOf(reads, starts.medianMs),
    ...requestGoals(requests),
    ...checkoutGoal(checkouts),
    goalOf(attack),
    ...postings.flatMap(postingGoal),
    ...pages.map(pageGoal),
    withdrawalGoal(withdrawn),
    ...webhookGoals(deliveries),
  ];
  const head = ["64 connections", "per second", "× bare", "p50 ms", "p99 ms", "CPU µs", "MB"];
  say(`\n${table([...head, "failures"], reads.map(figuresRow))}\n`);
  say(`${table(["postings", "per second", "pgledger", "×"], postings.map(postingRow))}\n`);
  say(`${table(["goal", "measured", "wanted", ""], goals.map(goalRow))}\n`);
  const file = writeResults({
    machine,
    pace,
    reads,
    requests,
    checkouts,
    starts,
    attack,
    postings,
    pages,
    withdrawn,
    deliveries,
    goals,
  });
  say(`written to ${file}`);
  process.exitCode = goals.every(meets) ? 0 : 1;
} finally {
  await stage.clear();
}

function goalsOf(reads: readonly Figures[], startMs: number): Goal[] {
  const named = (name: string) => reads.find((one) => one.name === name);
  const ofBare = (name: string): Goal => ({
    what: name,
    measured: named(name)?.timesBare ?? Number.NaN,
    unit: "× bare",
    goal: { atLeast: 0.5 },
  });
  const readers = ["whoami, bearer token", "whoami, API key"];
  const memory = Math.max(...readers.map((name) => named(name)?.residentMbMax ?? Number.NaN));
  return [
    ...readers.map(ofBare),
    { what: "memory under these reads", measured: memory, unit: "MB", goal: { below: 200 } },
    { what: "start, database given", measured: startMs, unit: "ms", goal: { below: 1000 } },
  ];
}

function requestGoals({ timesBare, timesPgbench, residentMbMax }: RequestFigures): Goal[] {
  const what = "payment requests";
  const besidePgbench: Goal[] =
    timesPgbench === undefined
      ? []
      : [{ what, measured: timesPgbench, unit: "× pgbench -N", goal: { atLeast: 2 } }];
  return [
    { what, measured: timesBare, unit: "× bare", goal: { atLeast: 0.6 } },
    ...besidePgbench,
    {
      what: "memory under payment requests",
      measured: residentMbMax,
      unit: "MB",
      goal: { below: 200 },
    },
  ];
}

function checkoutGoal({ timesPgbench }: CheckoutFigures): Goal[] {
  if (timesPgbench === undefined) return [];
  const goal = { atLeast: 0.25 };
  return [{ what: "whole checkouts", measured: timesPgbench, unit: "× pgbench -N", goal }];
}

function goalOf({ timesIdle }: AttackFigures): Goal {
  const goal = { below: 2 };
  return {
    what: "p99 of reads while bombs are uploaded",
    measured: timesIdle,
    unit: "× idle",
    goal,
  };
}

function figuresRow(one: Figures): string[] {
  const { perSecond, timesBare, p50Ms, p99Ms, cpuMicrosPerRequest, residentMbMax, failures } = one;
  const figures = [perSecond, timesBare, p50Ms, p99Ms, cpuMicrosPerRequest, residentMbMax];
  return [one.name, ...[...figures, failures].map(round)];
}

/** Only beside pgledger: a figure alone says more about the machine. */
function postingGoal({ place, times }: PostingFigures): Goal[] {
  if (times === undefined) return [];
  const atLeast = place === "one hot account" ? 15 : 5;
  return [{ what: `postings, ${place}`, measured: times, unit: "× pgledger", goal: { atLeast } }];
}

function postingRow({ place, perSecond, pgledgerPerSecond, times }: PostingFigures): string[] {
  const figures = [perSecond, pgledgerPerSecond, times];
  return [place, ...figures.map((one) => (one === undefined ? "" : round(one)))];
}

/** Many transactions beside few. */
function pageGoal({ what, times }: PageTimes): Goal {
  return { what: `history, ${what}`, measured: times, unit: "× few", goal: { below: 2 } };
}

function withdrawalGoal({ timesBare }: WithdrawalFigures): Goal {
  const goal = { atLeast: 0.5 };
  return { what: "withdrawals", measured: timesBare, unit: "× bare statements", goal };
}

function webhookGoals({ p50Ms, p99Ms, deliveriesPerSecond }: WebhookFigures): Goal[] {
  const what = "commit to first byte of a webhook";
  return [
    { what: `${what}, p50`, measured: p50Ms, unit: "ms", goal: { below: 50 } },
    { what: `${what}, p99`, measured: p99Ms, unit: "ms", goal: { below: 500 } },
    { what: "webhooks", measured: deliveriesPerSecond, unit: "/s", goal: { atLeast: 1_000 } },
  ];
}
