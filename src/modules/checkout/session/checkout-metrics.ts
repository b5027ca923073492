/** Metrics of checkouts. */

import { Counter, Gauge } from "prom-client";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";

export const endedCheckouts = new Counter({
  name: "windward_checkouts_total",
  help: "Checkout sessions that ended, by the status of the payment.",
  labelNames: ["environment", "status"],
});
export const replacedCheckouts = new Counter({
  name: "windward_checkouts_replaced_total",
  help: "Open checkouts that ended because the same order was requested with other details.",
});
export const cardAnswers = new Counter({
  name: "windward_card_answers_total",
  help: "Answers of the gateway about cards that did not end a checkout, by what came of them.",
  labelNames: ["environment", "outcome"],
});
export const voidedApprovals = new Counter({
  name: "windward_late_approvals_voided_total",
  help: "Approvals that came after the result was told and were undone.",
  labelNames: ["environment"],
});
for (const environment of ENVIRONMENTS) {
  voidedApprovals.inc({ environment }, 0);
  for (const status of ["success", "failed", "error"])
    endedCheckouts.inc({ environment, status }, 0);
  for (const outcome of ["declined", "challenged", "waiting"])
    cardAnswers.inc({ environment, outcome }, 0);
}
const undecided = new Gauge({
  name: "windward_card_attempts_undecided",
  help: "Attempts that wait for the gateway or for a void, when last looked.",
  labelNames: ["environment", "state"],
  aggregator: "max",
});

const oldest = new Gauge({
  name: "windward_card_attempts_oldest_seconds",
  help: "How long the oldest of those has been undecided, when last looked.",
  labelNames: ["environment", "state"],
  aggregator: "max",
});

export interface Undecided {
  readonly environment: string;
  readonly state: string;
  readonly count: number;
  readonly seconds: number;
}

export function tellUndecided(found: readonly Undecided[]): void {
  undecided.reset();
  oldest.reset();
  for (const { environment, state, count, seconds } of found) {
    undecided.set({ environment, state }, count);
    oldest.set({ environment, state }, seconds);
  }
}
