/**
 * What traces cost when one of a hundred is recorded: one service that records in one second and
 * not in the next, with the file of docs/operations.md and a collector that takes all it is sent.
 * Two services side by side differ by more than the goal, whatever is set: by what the compiler
 * has seen, by the age of their databases, by where the host puts them. One differs from itself by
 * what is switched.
 */

import { fileURLToPath } from "node:url";
import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { startCollector } from "../../testkit/trace-collector.ts";
import { askAgain } from "../support/ask-again.ts";
import { ORDER } from "../support/open-checkout.ts";
import { median, quantile, round } from "../support/report.ts";
import type { Outcome, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";
import { TURN, type Turn } from "../support/trace-turn.ts";

const TRACING = fileURLToPath(new URL("../support/traces-in-turns.ts", import.meta.url));
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 20;
/** Each second is a turn; the goal is smaller than what one turn differs from the next. */
const SECONDS = 240;
const QUICK_SECONDS = 12;

export const tracing: Scene = {
  name: "tracing",
  async play(stage, { isQuick }) {
    const collector = await startCollector();
    const ours = { TRACING, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const traced = { ...stage, settings: { ...stage.settings, ...ours } };
    try {
      return await onItsOwn(traced, "traced", async (own): Promise<Outcome> => {
        await ask(own, isQuick ? 2 : WARM_UP_SECONDS);
        const figures = compare(await ask(own, isQuick ? QUICK_SECONDS : SECONDS));
        const { timesCpu: measured, quarters, pairs } = figures;
        say(
          `${pairs} pairs of turns, half of them between ${quarters.map(round).join(" and ")} ×; ` +
            `${collector.spans.length} spans were collected`,
        );
        const unit = "× its processor time without";
        const what = "payment requests, 1 % traced";
        const goals = [{ what, measured, unit, goal: { below: 1.02 } }];
        return { figures: { ...figures, spans: collector.spans.length }, goals };
      });
    } finally {
      collector.close();
    }
  },
};

/** Payment requests for so long; gives the turns that were taken meanwhile. */
async function ask({ service }: Stage, seconds: number): Promise<readonly Turn[]> {
  const before = turnsOf(service.stdout()).length;
  const url = service.url + PATH;
  const { failures } = await askAgain({ url, connections: CONNECTIONS, order: ORDER, seconds });
  if (failures > 0) throw new Error(`${failures} payment requests failed`);
  // The first was under way already.
  return turnsOf(service.stdout()).slice(before + 1);
}

function turnsOf(stdout: string): Turn[] {
  const lines = stdout.split("\n").filter((line) => line.startsWith(TURN));
  return lines.map((line) => JSON.parse(line.slice(TURN.length)));
}

/** Each traced turn with those around it, so that what grows meanwhile cancels out. */
function compare(turns: readonly Turn[]) {
  const each = turns.map(({ cpuMs, requests }) => cpuMs / requests);
  const ratios = turns.flatMap(({ isTraced }, at) => {
    const [last, next] = [each[at - 1], each[at + 1]];
    if (!isTraced || last === undefined || next === undefined) return [];
    return [(each[at] ?? Number.NaN) / ((last + next) / 2)];
  });
  return {
    timesCpu: median(ratios),
    quarters: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    pairs: ratios.length,
    untracedCpuMs: median(each.filter((_, at) => turns[at]?.isTraced === false)),
  };
}
