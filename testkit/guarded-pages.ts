/** What every answer of a console has, so that it is framed by nobody and kept by no cache. */

import assert from "node:assert/strict";
import type { TestAnswer } from "./service.ts";

export function expectNotKept({ headers }: TestAnswer, where: string): void {
  assert.match(headers.get("cache-control") ?? "", /\bno-store\b/, where);
  assert.equal(headers.get("x-content-type-options"), "nosniff", where);
  assert.equal(headers.get("etag"), null, where);
}

function expectNotFramed({ headers }: TestAnswer, where: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ])
    assert.ok(policy.includes(part), `${where}: ${part} is not in ${policy}`);
  assert.doesNotMatch(policy, /unsafe|\*|https?:|script-src (?!'self';)/, where);
  assert.equal(headers.get("x-frame-options"), "DENY", where);
  assert.equal(headers.get("cross-origin-opener-policy"), "same-origin", where);
  assert.match(headers.get("referrer-policy") ?? "", /^(same-origin|no-referrer)$/, where);
}

export function expectGuarded(answer: TestAnswer, where: string): void {
  expectNotKept(answer, where);
  const isPage = (answer.headers.get("content-type") ?? "").startsWith("text/html");
  if (isPage && answer.status !== 303) expectNotFramed(answer, where);
}
