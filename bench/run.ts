/**
 * Measures Windward beside its yardsticks in one run: `npm run bench`, or `npm run bench --
 * --quick` within two minutes; `--only checkouts,postings` plays these scenes. What is promised
 * are ratios to a yardstick of the same minutes: a figure alone says more about the machine. The
 * warm-up is long because the compiler still works on what is hot ten seconds after a start.
 */

import { parseArgs } from "node:util";
import { reads } from "./scenes/authenticated-read.ts";
import { checkoutPage } from "./scenes/checkout-page.ts";
import { history } from "./scenes/history-paging.ts";
import { postings } from "./scenes/ledger-posting.ts";
import { overload } from "./scenes/overload.ts";
import { requests } from "./scenes/payment-request.ts";
import { pictures } from "./scenes/picture-attack.ts";
import { slowness } from "./scenes/slow-clients.ts";
import { starts } from "./scenes/start.ts";
import { webhooks } from "./scenes/webhooks.ts";
import { checkouts } from "./scenes/whole-checkout.ts";
import { withdrawals } from "./scenes/withdrawals.ts";
import { drawChart } from "./support/chart.ts";
import { describeMachine } from "./support/machine.ts";
import { type Goal, goalRow, meets, round, say, table, writeResults } from "./support/report.ts";
import type { Pace, Scene } from "./support/scene.ts";
import { setStage } from "./support/stage.ts";

const SCENES: readonly Scene[] = [
  requests,
  postings,
  reads,
  checkouts,
  webhooks,
  history,
  starts,
  checkoutPage,
  withdrawals,
  pictures,
  slowness,
  overload,
];

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const pace: Pace = values.quick
  ? { isQuick: true, rounds: 1, seconds: 2, warmUpSeconds: 2 }
  : { isQuick: false, rounds: 5, seconds: 4, warmUpSeconds: 10 };

const wanted = values.only?.split(",");
const unknown = wanted?.filter((name) => SCENES.every((scene) => scene.name !== name)) ?? [];
if (unknown.length > 0) {
  const names = SCENES.map(({ name }) => name).join(", ");
  say(`There is no scene ${unknown.join(", ")}. There are: ${names}.`);
  process.exit(2);
}
const playing = SCENES.filter(({ name }) => wanted?.includes(name) ?? true);

const machine = describeMachine();
say(`Windward on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
const beganAt = performance.now();
const stage = await setStage();
try {
  const figures: Record<string, unknown> = {};
  const goals: Goal[] = [];
  for (const [at, scene] of playing.entries()) {
    say(`\n${scene.name} (${at + 1} of ${playing.length})`);
    const outcome = await scene.play(stage, pace);
    figures[scene.name] = outcome.figures;
    goals.push(...outcome.goals);
  }
  say(`\n${table(["", "goal", "measured", "wanted", ""], goals.map(goalRow))}\n`);
  const file = writeResults({ machine, pace, figures, goals });
  say(`${round((performance.now() - beganAt) / 60_000)} minutes; written to ${file}`);
  if (wanted === undefined && !pace.isQuick) say(`drawn in ${drawChart(goals, machine)}`);
  process.exitCode = goals.every(meets) ? 0 : 1;
} finally {
  await stage.clear();
}
