/** What whoever watches the service sees of the messenger. */

import { Counter, Gauge, Histogram } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Verdict } from "./end-attempts.ts";

const attempts = new Counter({
  name: "windward_webhook_attempts_total",
  help: "Attempts to deliver an event to an endpoint, by what became of the delivery.",
  labelNames: ["outcome"],
});
const firstAttempts = new Histogram({
  name: "windward_webhook_first_attempt_seconds",
  help: "From an event to the first attempt to deliver it.",
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
});
const waiting = new Gauge({
  name: "windward_webhook_endpoints_waiting",
  help: "Endpoints with a delivery that is due and that nobody is sending, when last looked.",
  aggregator: "max",
});
const late = new Gauge({
  name: "windward_webhook_late_seconds",
  help: "How long the longest of those has been due, when last looked.",
  aggregator: "max",
});

export function countAttempt(outcome: Verdict["state"]): void {
  attempts.inc({ outcome: outcome === "waiting" ? "to be retried" : outcome });
}

export function timeFirstAttempt(occurredAt: Date, beganAt: Date): void {
  firstAttempts.observe((beganAt.getTime() - occurredAt.getTime()) / SECOND_MS);
}

export function tellWaiting(facts: { endpoints: number; lateSeconds: number }): void {
  waiting.set(facts.endpoints);
  late.set(facts.lateSeconds);
}
