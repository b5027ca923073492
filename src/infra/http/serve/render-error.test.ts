/** Problem+json is sent to those that prefer it to JSON, and to nobody else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { helpHeaders, prefersProblem } from "./render-error.ts";

const P = "application/problem+json";

for (const [accept, expected] of [
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/*", false],
  ["application/json", false],
  ["application/json, text/plain, */*", false],
  [P, true],
  ["Application/Problem+JSON", true],
  [`${P}; charset=utf-8`, true],
  [`${P}, application/json`, false],
  [`application/json, ${P}`, false],
  [`${P}, application/json;q=0.9`, true],
  [`application/json;q=0.9,${P};q=0.91`, true],
  [`application/json, ${P};q=0.9`, false],
  [`${P}, */*`, true],
  [`${P}, application/*;q=0.8`, true],
  [`${P};q=0.5, */*`, false],
  [`${P};q=0`, false],
  [`${P};q=0.000, application/json;q=0`, false],
  [`${P}, application/json;q=0`, true],
  [`${P};q=2`, false],
  [`${P};q=x`, false],
  ["application/problem+jsonp", false],
  ["text/html, application/problem+xml", false],
] as const)
  test(`Accept: ${accept} ${expected ? "prefers" : "does not prefer"} problem+json`, () =>
    assert.equal(prefersProblem(accept), expected));

test("the help link stands beside the links that are there", () => {
  const link = '</docs/errors/not_found>; rel="help"';
  assert.deepEqual(helpHeaders("not_found"), { "x-svc-error": "not_found", link });
  const earlier = '</accounts>; rel="successor-version"';
  assert.equal(helpHeaders("not_found", earlier).link, `${earlier}, ${link}`);
});
