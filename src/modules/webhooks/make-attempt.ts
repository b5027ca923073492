/**
 * One attempt: sign, send, judge what came back (Interface §6, Decision 0034). No tx is open while
 * the receiver has the word.
 *
 * A 2xx is success; everything else, also a redirect, is failure and tried again by the schedule.
 * What we broke off ourselves, because the process stops, counts for nothing.
 */

import type { Outcome, Sender } from "../../infra/outbound/send.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import type { BegunAttempt } from "./begin-attempts.ts";
import { countAttempt, timeFirstAttempt } from "./delivery-metrics.ts";
import type { EndedAttempt, Verdict } from "./end-attempts.ts";
import { retryAfterSeconds } from "./retry-schedule.ts";
import { webhookHeaders } from "./sign-webhook.ts";

const ANSWER_SECONDS_MAX = 15;
export const GONE = 410;

export async function makeAttempt(sender: Sender, begun: BegunAttempt): Promise<EndedAttempt> {
  const { deliveryId, endpointId, attempt, round, life, url, body } = begun;
  if (attempt === 1) timeFirstAttempt(begun.occurredAt, begun.at);
  const outcome = await sender.send({
    url,
    headers: webhookHeaders(begun),
    body,
    timeoutMs: ANSWER_SECONDS_MAX * SECOND_MS,
  });
  const verdict = judge(outcome, begun);
  countAttempt(verdict.state);
  const { durationMs } = outcome;
  const ended = { deliveryId, endpointId, attempt, round, life, verdict, durationMs };
  return "failure" in outcome
    ? { ...ended, failure: `${outcome.failure}: ${outcome.text}` }
    : { ...ended, responseStatus: outcome.status, responseHead: outcome.head };
}

function judge(outcome: Outcome, { roundAttempt, at }: BegunAttempt): Verdict {
  if ("failure" in outcome && outcome.failure === "stopped") return { state: "interrupted" };
  if ("status" in outcome && outcome.status >= 200 && outcome.status < 300)
    return { state: "delivered" };
  const failure = { attemptsMade: roundAttempt, at, ...answerOf(outcome) };
  const afterSeconds = retryAfterSeconds(failure, Math.random);
  return afterSeconds === undefined ? { state: "failed" } : { state: "waiting", afterSeconds };
}

function answerOf(outcome: Outcome): { status?: number; retryAfter?: string } {
  if ("failure" in outcome) return {};
  const { status, retryAfter } = outcome;
  return { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
}
