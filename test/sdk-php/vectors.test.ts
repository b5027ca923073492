/**
 * The guarantee: the PHP package gives the verdicts of the vectors that the TypeScript SDK gives
 * (`test/sdk/vectors.test.ts`), run by a real PHP (Decision 0112).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runPhp } from "../../testkit/php.ts";
import { signatureOf } from "../api/checkout/signing-support.ts";
import {
  type RedirectVector,
  type RetryVector,
  vectorsOf,
  type WebhookVector,
} from "../sdk/vectors.ts";
import { REQUEST_VECTORS, VECTOR_SECRET } from "../sdk/verify/request-vectors.ts";

/** One process judges all vectors of a kind; `$judge` gives what it makes of one. */
async function judged<T>(vectors: readonly unknown[], judge: string): Promise<T[]> {
  const code = `${judge}
    $answers = array_map($judge, $facts['vectors']);
    echo json_encode($answers, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);`;
  return JSON.parse(await runPhp(code, { vectors }));
}

const REDIRECT = `
  $judge = function (array $vector): array {
    $now = isset($vector['now']) ? new DateTimeImmutable($vector['now']) : null;
    try {
      $checks = new Windward\\RedirectChecks(...$vector['checks'], now: $now);
      $told = (array) Windward\\Redirect::verify($vector['redirect'], $checks);
      unset($told['date']);
      $known = array_filter($told, fn(?string $value): bool => $value !== null);
      return ['verdict' => 'verified', 'told' => $known];
    } catch (Windward\\VerificationError $error) {
      return ['verdict' => $error->reason->value];
    }
  };`;

const WEBHOOK = `
  $judge = function (array $vector): string {
    $now = new DateTimeImmutable($vector['now']);
    $tolerance = $vector['toleranceSeconds'] ?? Windward\\Webhook::TOLERANCE_SECONDS;
    [$body, $headers, $secrets] = [$vector['body'], $vector['headers'], $vector['secrets']];
    try {
      $told = Windward\\Webhook::verify($body, $headers, $secrets, $now, $tolerance);
      $isSame = $told->event->data === json_decode($body, true)['data']
        && $told->id === $told->event->id && $told->event->sequence === 18;
      return $isSame ? 'verified' : 'another event';
    } catch (Windward\\VerificationError $error) {
      return $error->reason->value;
    }
  };`;

const REQUEST = `
  $judge = function (array $vector): string {
    if ($vector['type'] === 'json') $fields = json_decode($vector['body'], true);
    else foreach (explode('&', $vector['body']) as $part) {
      [$name, $value] = array_map(urldecode(...), [...explode('=', $part, 2), '']);
      $fields[$name] = $value;
    }
    return Windward\\RequestSignature::sign($fields, $vector['secret'])['signature'];
  };`;

const RETRY = `
  $judge = function (array $vector): array {
    ['status' => $status, 'retryAfter' => $after] = $vector;
    $headers = $after === null ? [] : ['retry-after' => (string) $after];
    $answer = $status === null ? null : new Windward\\Answer($status, $headers, '');
    $isTried = fn(bool $isReading, bool $isKeyed): bool
      => Windward\\RetryPolicy::pauseMs($answer, 1, $isReading, $isKeyed) !== null;
    return [
      'reads' => $isTried(true, false),
      'keyed' => $isTried(false, true),
      'other' => $isTried(false, false),
    ];
  };`;

describe("in PHP, a redirect with", async () => {
  const vectors = vectorsOf<RedirectVector>("redirects");
  const answers = await judged(vectors, REDIRECT);
  for (const [at, { about, verdict, told }] of vectors.entries())
    test(`${about}: ${verdict}`, () => {
      assert.deepEqual(answers[at], { verdict, ...(told && { told }) });
    });
});

describe("in PHP, a webhook with", async () => {
  const vectors = vectorsOf<WebhookVector>("webhooks");
  const answers = await judged(vectors, WEBHOOK);
  for (const [at, { about, verdict }] of vectors.entries())
    test(`${about}: ${verdict}`, () => {
      assert.equal(answers[at], verdict);
    });
});

describe("in PHP, a payment request with", async () => {
  const given = REQUEST_VECTORS.map((vector) => ({ ...vector, secret: VECTOR_SECRET }));
  const answers = await judged(given, REQUEST);
  for (const [at, { about, signature }] of REQUEST_VECTORS.entries())
    test(`${about} is signed as it says`, () => {
      assert.equal(answers[at], signature);
    });
});

test("PHP and TypeScript sign whatever fields are alike", async () => {
  const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const value = fc.oneof(text, number, fc.integer(), fc.boolean(), fc.constant(null));
  const names = text.filter((each) => each !== "signature" && each !== "__proto__");
  const samples = fc.sample(fc.dictionary(names, value), 500).map((fields) => {
    // As JSON has them: it has no -0.
    const body = JSON.stringify(fields);
    return { type: "json", body, secret: VECTOR_SECRET };
  });
  const expected = samples.map(({ body }) => signatureOf(JSON.parse(body), VECTOR_SECRET));
  const signed = await judged<string>(samples, REQUEST);
  for (const [at, { body }] of samples.entries()) assert.equal(signed[at], expected[at], body);
});

test("in PHP, what is tried again is what the vectors say", async () => {
  const vectors = vectorsOf<RetryVector>("retries");
  const expected = vectors.map(({ reads, keyed, other }) => ({ reads, keyed, other }));
  assert.deepEqual(await judged(vectors, RETRY), expected);
});
