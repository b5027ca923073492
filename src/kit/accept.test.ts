/** Accept headers are read as RFC 9110 writes them, and no malformed weight prefers anything. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptsHtml, weightIn } from "./accept.ts";

test("a type has the weight that the header gives it", () => {
  for (const [accept, weight] of [
    ["text/csv", 1],
    ["TEXT/CSV ; Q=0.5", 0.5],
    ["text/csv;charset=utf-8;q=0.25, */*", 0.25],
    ["text/csv;q=0.1, text/csv;q=0.9", 0.9],
    ["text/csv;q=0", 0],
    ["text/csv;q=1.000", 1],
    ["text/csv;q=2", 0],
    ["text/csv;q=many", 0],
    ["text/csvx, */*", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(weightIn(accept, "text/csv"), weight, accept);
  assert.equal(weightIn("text/csv, */*;q=0.1", "*/*"), 0.1);
});

test("a browser accepts HTML, an API client does not", () => {
  assert(acceptsHtml("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
  for (const accept of ["*/*", "application/json", "text/html;q=0", "text/*", undefined])
    assert(!acceptsHtml(accept), accept);
});
