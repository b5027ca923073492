/**
 * Makes one attempt: signs, sends and judges the response (Interface §6, Decision 0034). No tx is
 * open meanwhile.
 *
 * A 2xx is success. Everything else, redirects included, is a failure, retried by the schedule. An
 * attempt that this process broke off because it stops does not count.
 */

import { Counter, Histogram } from "prom-client";
import type { Outcome, Sender } from "../../infra/outbound/send.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import type { BegunAttempt } from "./begin-attempts.ts";
import type { EndedAttempt, Verdict } from "./end-attempts.ts";
import { retryAfterSeconds } from "./retry-schedule.ts";
import { webhookHeaders } from "./sign-webhook.ts";

const ANSWER_SECONDS_MAX = 15;
export const GONE = 410;

const attempts = new Counter({
  name: "windward_webhook_attempts_total",
  help: "Attempts to deliver an event to an endpoint, by what became of the delivery.",
  labelNames: ["outcome"],
});
for (const outcome of ["delivered", "to be retried", "failed", "interrupted"])
  attempts.inc({ outcome }, 0);
const firstAttempts = new Histogram({
  name: "windward_webhook_first_attempt_seconds",
  help: "From an event to the first attempt to deliver it.",
  // 2 is the limit of an alarm.
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30, 300],
});

export async function makeAttempt(sender: Sender, begun: BegunAttempt): Promise<EndedAttempt> {
  const { attempt, event_id: eventId, occurred_at, began_at, signed_at: at, url, body } = begun;
  if (attempt === 1)
    firstAttempts.observe((began_at.getTime() - occurred_at.getTime()) / SECOND_MS);
  const outcome = begun.simulated
    ? SIMULATED[begun.simulated]
    : await sender.send({
        url,
        headers: webhookHeaders({ ...begun, eventId, at }),
        body,
        timeoutMs: ANSWER_SECONDS_MAX * SECOND_MS,
      });
  const verdict = judge(outcome, begun);
  attempts.inc({ outcome: verdict.state === "waiting" ? "to be retried" : verdict.state });
  const ended = { ...begun, verdict, durationMs: outcome.durationMs };
  return "failure" in outcome
    ? { ...ended, failure: `${outcome.failure}: ${outcome.text}` }
    : { ...ended, responseStatus: outcome.status, responseHead: outcome.head };
}

/** Answers of receivers that a developer has asked for (Decision 0102). A timeout takes no time. */
const SIMULATED: Readonly<Record<NonNullable<BegunAttempt["simulated"]>, Outcome>> = {
  ok: { status: 200, head: "Simulated: ok", durationMs: 0 },
  error: { status: 500, head: "Simulated: error", durationMs: 0 },
  gone: { status: GONE, head: "Simulated: gone", durationMs: 0 },
  timeout: {
    failure: "timeout",
    text: `Simulated: there was no answer within ${ANSWER_SECONDS_MAX} seconds.`,
    durationMs: ANSWER_SECONDS_MAX * SECOND_MS,
  },
};

function judge(outcome: Outcome, { round_attempt, signed_at: at }: BegunAttempt): Verdict {
  if ("failure" in outcome && outcome.failure === "stopped") return { state: "interrupted" };
  if ("status" in outcome && outcome.status >= 200 && outcome.status < 300)
    return { state: "delivered" };
  const response = "status" in outcome ? outcome : {};
  const afterSeconds = retryAfterSeconds({ attemptsMade: round_attempt, at, ...response });
  return afterSeconds === undefined ? { state: "failed" } : { state: "waiting", afterSeconds };
}
