// The guarantee: an address over its limit costs one count a second, whatever it sends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "../../log.ts";
import { createBadCredentialCount } from "./limit-bad-credentials.ts";
import type { Hit } from "./rate-limiter.ts";

const log = createLog({ level: "silent", write() {} });

test("an address over its limit is refused from memory for a second, and others are counted", async (t) => {
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  const hits: Hit[] = [];
  const counts = createBadCredentialCount({
    max: 7,
    log,
    async count(hit) {
      hits.push(hit);
      return { granted: hit.key.endsWith(".2"), remaining: 0, retryAfterSeconds: 30 };
    },
  });
  const refused = { granted: false, remaining: 0, retryAfterSeconds: 30 };
  for (let times = 0; times < 100; times++) assert.deepEqual(await counts("203.0.113.1"), refused);
  assert.deepEqual(hits, [{ key: "bad_credentials 203.0.113.1", max: 7 }]);
  for (let times = 0; times < 3; times++)
    assert.equal((await counts("203.0.113.2"))?.granted, true);
  assert.equal(hits.length, 4);
  now += 1_001;
  await sleep(5); // the cache reads the clock anew
  await counts("203.0.113.1");
  assert.equal(hits.length, 5);
});

test("a count that fails is undefined", async () => {
  const counts = createBadCredentialCount({
    max: 7,
    log,
    count: () => Promise.reject(new Error("no database")),
  });
  assert.equal(await counts("203.0.113.1"), undefined);
});
