/** A failure is not kept: whatever is made on the first call is made on the next one instead. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lazy } from "./lazy.ts";

test("calls during the making share it, and later ones have what was made", async () => {
  let count = 0;
  const make = lazy(async () => {
    count += 1;
    return {};
  });
  const [first, second] = await Promise.all([make(), make()]);
  assert.equal(first, second);
  assert.equal(await make(), first);
  assert.equal(count, 1);
});

for (const [how, fail] of [
  ["at once", () => assert.fail("no file")],
  ["later", async () => assert.fail("no file")],
] as const)
  test(`what fails ${how} is tried again by the next call`, async () => {
    let isBroken = true;
    const make = lazy(() => (isBroken ? fail() : "made"));
    await assert.rejects(make(), /no file/);
    isBroken = false;
    assert.equal(await make(), "made");
  });
