/**
 * The guarantee: the TypeScript SDK gives the verdicts of the shared vectors, which are computed by
 * another program, and `test/sdk-php/vectors.test.ts` shows the same of PHP (Decision 0112).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pauseBeforeRetry } from "../../sdk/src/retry-policy.ts";
import { VerificationError } from "../../sdk/src/verify/verification-error.ts";
import { type RedirectChecks, verifyRedirect } from "../../sdk/src/verify/verify-redirect.ts";
import { verifyWebhook } from "../../sdk/src/verify/verify-webhook.ts";
import { type RedirectVector, type RetryVector, vectorsOf, type WebhookVector } from "./vectors.ts";

const verdictOf = async (verified: Promise<unknown>) =>
  verified.then(
    () => "verified",
    (error) => (error instanceof VerificationError ? error.reason : String(error)),
  );

describe("a redirect with", () => {
  for (const { about, redirect, checks, now, verdict, told } of vectorsOf<RedirectVector>(
    "redirects",
  ))
    test(`${about}: ${verdict}`, async () => {
      const all = { ...checks, ...(now && { now: new Date(now) }) } as unknown as RedirectChecks;
      const verified = verifyRedirect(redirect, all);
      assert.equal(await verdictOf(verified), verdict);
      if (told === undefined) return;
      const { date: _, ...values } = await verified;
      assert.deepEqual(values, told);
    });
});

describe("a webhook with", () => {
  for (const vector of vectorsOf<WebhookVector>("webhooks"))
    test(`${vector.about}: ${vector.verdict}`, async () => {
      const { body, headers, secrets, toleranceSeconds } = vector;
      const now = new Date(vector.now);
      const checks = { now, ...(toleranceSeconds && { toleranceSeconds }) };
      const verified = verifyWebhook(body, headers, secrets, checks);
      assert.equal(await verdictOf(verified), vector.verdict);
      if (vector.verdict === "verified") assert.deepEqual((await verified).event, JSON.parse(body));
    });
});

test("what is tried again is what the vectors say", () => {
  for (const { status, retryAfter, ...again } of vectorsOf<RetryVector>("retries")) {
    const headers = new Headers(retryAfter === null ? {} : { "retry-after": String(retryAfter) });
    const response = status === null ? undefined : { status, headers };
    const isTried = (isReading: boolean, isKeyed: boolean) =>
      pauseBeforeRetry(response, 1, { isReading, isKeyed }) !== undefined;
    const tried = {
      reads: isTried(true, false),
      keyed: isTried(false, true),
      other: isTried(false, false),
    };
    assert.deepEqual(tried, again, `${status} ${retryAfter}`);
  }
});
