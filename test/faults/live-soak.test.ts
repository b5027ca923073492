/**
 * A short soak of live payments: with faults of every kind but the slowest, nothing is lost,
 * doubled or left undecided, and the settlement report pays what was recorded. `npm run soak:live`
 * does thousands.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLiveSoak } from "../../scripts/live/check-live-soak.ts";
import { runLiveSoak } from "../../scripts/live/run-live-soak.ts";

test("150 live payments with faults of the acquirer come to one truth each", async (t) => {
  const options = { payments: 150, faultPercent: 12, seed: 7, without: ["drip"] } as const;
  await runLiveSoak(options, async (soak) => {
    t.diagnostic(JSON.stringify(soak.report.figures));
    assert.deepEqual(await checkLiveSoak(soak), []);
    assert((soak.report.figures.success ?? 0) > 75);
  });
});
