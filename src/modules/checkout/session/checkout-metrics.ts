/** Metrics of checkouts. */

import { Counter, Gauge } from "prom-client";

export const endedCheckouts = new Counter({
  name: "windward_checkouts_total",
  help: "Checkout sessions that ended, by the status of the payment.",
  labelNames: ["status"],
});
export const replacedCheckouts = new Counter({
  name: "windward_checkouts_replaced_total",
  help: "Open checkouts that ended because the same order was requested with other details.",
});
export const cardAnswers = new Counter({
  name: "windward_card_answers_total",
  help: "Answers of the gateway about cards that did not end a checkout, by what came of them.",
  labelNames: ["outcome"],
});
export const voidedApprovals = new Counter({
  name: "windward_late_approvals_voided_total",
  help: "Approvals that came after the result was told and were undone.",
});
const undecided = new Gauge({
  name: "windward_card_attempts_undecided",
  help: "Attempts that wait for the gateway or for a void, when last looked.",
  labelNames: ["state"],
  aggregator: "max",
});

export function tellUndecided(byState: Readonly<Record<string, number>>): void {
  undecided.reset();
  for (const [state, count] of Object.entries(byState)) undecided.set({ state }, count);
}
