/**
 * Measures Windward beside its yardsticks in one run: `npm run bench`, or `npm run bench --
 * --quick` within two minutes; `--only checkouts,postings` plays these scenes. What is promised
 * are ratios to a yardstick of the same minutes: a figure alone says more about the machine. A
 * round that the host disturbed is played again, while there is time. The warm-up is long because
 * the compiler still works on what is hot many seconds after a start. `--budget` measures no speed:
 * it says where the time of a payment goes.
 */

import { inspect } from "node:util";
import { readCommand } from "../testkit/tool/command.ts";
import { flag, names, number } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { measureBudget } from "./budget/measure-budget.ts";
import { reads } from "./scenes/authenticated-read.ts";
import { checkoutPage } from "./scenes/checkout-page.ts";
import { consolePages } from "./scenes/console-pages.ts";
import { history } from "./scenes/history-paging.ts";
import { postings } from "./scenes/ledger-posting.ts";
import { operatorPages } from "./scenes/operator-pages.ts";
import { overload } from "./scenes/overload.ts";
import { requests } from "./scenes/payment-request.ts";
import { pictures } from "./scenes/picture-attack.ts";
import { processes } from "./scenes/processes.ts";
import { requestLog } from "./scenes/request-log.ts";
import { size } from "./scenes/size.ts";
import { slowness } from "./scenes/slow-clients.ts";
import { standby } from "./scenes/standby.ts";
import { starts } from "./scenes/start.ts";
import { tracing } from "./scenes/tracing.ts";
import { webhooks } from "./scenes/webhooks.ts";
import { checkouts } from "./scenes/whole-checkout.ts";
import { withdrawals } from "./scenes/withdrawals.ts";
import { drawChart } from "./support/chart.ts";
import { describeMachine, watchHost } from "./support/machine.ts";
import { createPatience, type RoundCounts } from "./support/quietly.ts";
import { type Goal, goalRow, round, table, verdictOf, writeResults } from "./support/report.ts";
import type { Outcome, Pace, Scene } from "./support/scene.ts";
import { type Stage, setStage } from "./support/stage.ts";

/** What is promised of the service as such. */
const PROMISES: readonly Scene[] = [
  requests,
  postings,
  reads,
  checkouts,
  webhooks,
  history,
  starts,
  checkoutPage,
  requestLog,
  tracing,
  consolePages,
  operatorPages,
];
/** What it is like with somebody else's bad day beside it. */
const TROUBLES: readonly Scene[] = [withdrawals, pictures, slowness, overload];
/** Measured when they are named: the first have no goal, the last takes longer than the rest. */
const QUESTIONS: readonly Scene[] = [processes, standby, size];
const SCENES = [...PROMISES, ...TROUBLES, ...QUESTIONS];

const { quick, only, budget, largest } = readCommand({
  name: "bench",
  about:
    "Measures Windward beside its yardsticks and holds the ratios against the goals. The results " +
    "of a whole run go to bench/results/, those of a quick or partial one to " +
    "bench/results/partial/, which git ignores; so do those of a run without pgbench, pgledger " +
    "or Lighthouse to compare with. It exits with 1 when a goal was missed " +
    "in every round; one that some rounds met and others missed is called unsure.",
  takes: "Takes 20 minutes; with --quick two.",
  options: {
    quick: flag(
      "one short round of each, which is noise but shows that it runs; without the scenes " +
        `${TROUBLES.map(({ name }) => name).join(", ")}, unless they are named`,
    ),
    only: names(
      `scenes, with commas between: ${SCENES.map(({ name }) => name).join(", ")}`,
      SCENES.map(({ name }) => name),
    ),
    largest: number(
      { about: "payments in the largest database of the scene size", min: 1_000, max: 50_000_000 },
      4_000_000,
    ),
    budget: flag(
      "instead of all that: what a payment request, a whole checkout and a webhook cost each " +
        "process, statement, trigger, table and index, written to bench/results/budget/",
    ),
  },
});
const pace: Omit<Pace, "quietly"> = quick
  ? { isQuick: true, rounds: 1, seconds: 1, warmUpSeconds: 2, largest }
  : { isQuick: false, rounds: 5, seconds: 2, warmUpSeconds: 4, largest };
const patience = createPatience(pace);
const all = only !== undefined ? SCENES : quick ? PROMISES : [...PROMISES, ...TROUBLES];
const playing = all.filter(({ name }) => only?.includes(name) ?? true);

await runTool("bench", async (tool) => {
  const machine = describeMachine();
  say(`Windward on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
  if (budget) {
    const { file, text } = await measureBudget(tool, { isQuick: quick });
    say(`\n${text}\nwritten to ${file}`);
    return true;
  }
  const beganAt = performance.now();
  const stage = await setStage(tool);
  const figures: Record<string, unknown> = {};
  const scenes: Record<string, Played> = {};
  const goals: Goal[] = [];
  const missing = new Set<string>();
  for (const [at, scene] of playing.entries()) {
    const played = await playScene(stage, scene, `${scene.name} (${at + 1} of ${playing.length})`);
    const { outcome, ...about } = played;
    scenes[scene.name] = about;
    figures[scene.name] = outcome?.figures;
    goals.push(...(outcome?.goals ?? []));
    if (outcome?.missing !== undefined) missing.add(outcome.missing);
  }
  const broken = Object.keys(scenes).filter((name) => scenes[name]?.failure !== undefined);
  const isWhole = !quick && only === undefined && broken.length + missing.size === 0;
  say(`\n${table(["", "goal", "measured", "wanted", ""], goals.map(goalRow))}\n`);
  if (broken.length > 0) say(`broken, and not measured: ${broken.join(", ")}`);
  if (missing.size > 0) say(`not there to compare with: ${[...missing].join(", ")}`);
  const file = writeResults({ machine, pace, scenes, figures, goals }, { isWhole });
  say(`${round((performance.now() - beganAt) / 60_000)} minutes; written to ${file}`);
  if (isWhole) say(`drawn in ${drawChart(goals, machine)}`);
  return broken.length === 0 && goals.every((goal) => verdictOf(goal) !== "SHORT");
});

interface Played {
  readonly seconds: number;
  /** The part of the machine's time that its host gave to others meanwhile. */
  readonly stolen: number;
  readonly rounds: RoundCounts;
  readonly failure?: string;
}

/** A scene that breaks costs its own figures, not those of the others. */
async function playScene(
  stage: Stage,
  scene: Scene,
  place: string,
): Promise<Played & { readonly outcome?: Outcome }> {
  const beganAt = performance.now();
  const secondsSoFar = () => (performance.now() - beganAt) / 1_000;
  say(`\n${place}`);
  whenQuiet(() => `${place}, ${round(secondsSoFar())} s so far`);
  const stolenPart = watchHost();
  const { quietly, rounds } = patience();
  const result = await scene.play(stage, { ...pace, quietly }).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ failure: inspect(error) }),
  );
  const about = { seconds: secondsSoFar(), stolen: stolenPart(), rounds };
  if ("failure" in result) say(`${scene.name} broke: ${result.failure}`);
  say(`${round(about.seconds)} s, of which the host gave ${round(100 * about.stolen)} % to others`);
  return { ...about, ...result };
}
