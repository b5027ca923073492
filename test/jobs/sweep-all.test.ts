/** The guarantee: what tests do instead of waiting for a loop is all that the loop would do. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepAll } from "../../testkit/sweeps.ts";

test("a sweep of all goes on until nothing can be claimed, and tells how many it was", async () => {
  let left = 9;
  async function* claim() {
    for (let turn = 0; turn < 4 && left > 0; turn++) yield async () => void left--;
  }
  assert.equal(await sweepAll(claim), 9);
  assert.equal(left, 0);
});
