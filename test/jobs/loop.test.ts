/** A loop that is hurried looks again without its pause, and none of the calls is lost. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createLoop } from "../../src/infra/jobs/loop.ts";
import { until } from "../../testkit/until.ts";

const FOR_GOOD_MS = 60_000;

/** A loop whose looks end when the test says so. */
function looks() {
  const begun: PromiseWithResolvers<void>[] = [];
  const loop = createLoop(async () => {
    const look = Promise.withResolvers<void>();
    begun.push(look);
    await look.promise;
    return FOR_GOOD_MS;
  });
  const untilBegun = (count: number) => until(() => begun.length === count, `look ${count} begins`);
  return { loop, begun, untilBegun };
}

test("in its pause it looks at once", async () => {
  const { loop, begun, untilBegun } = looks();
  loop.start();
  begun[0]?.resolve();
  await new Promise(setImmediate);
  assert.equal(begun.length, 1);
  loop.hurry();
  await untilBegun(2);
  begun[1]?.resolve();
  await loop.stop();
  assert.equal(begun.length, 2);
});

test("during a look it looks once more, however often it is called", async () => {
  const { loop, begun, untilBegun } = looks();
  loop.start();
  loop.hurry();
  loop.hurry();
  begun[0]?.resolve();
  await untilBegun(2);
  begun[1]?.resolve();
  await new Promise(setImmediate);
  assert.equal(begun.length, 2);
  await loop.stop();
});

test("a stop waits for the look that is under way, and none follows", async () => {
  const { loop, begun } = looks();
  loop.start();
  loop.hurry();
  const stopped = loop.stop();
  begun[0]?.resolve();
  await stopped;
  assert.equal(begun.length, 1);
});
