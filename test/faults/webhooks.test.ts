/**
 * X29, R35: 2,000 events to 50 endpoints of which a third hang, fail, reset, drip, flood or
 * redirect to loopback, while workers are killed at random: none is lost, what comes twice has the
 * same id, and memory stays flat. `npm run soak:webhooks` does it with 100,000.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { freshDatabase } from "../../testkit/database.ts";
import { endAll } from "../../testkit/processes.ts";
import { runFleet } from "../../testkit/webhook-fleet.ts";

after(endAll);

test("workers killed at random lose no event, whatever receivers do", {
  timeout: 240_000,
}, async (t) => {
  const database = await freshDatabase();
  t.after(() => database.drop());
  const report = await runFleet({
    databaseUrl: database.url,
    eventCount: 2_000,
    workers: 2,
    killEveryMs: { min: 200, max: 700 },
    killsMax: 4,
    settleSeconds: 100,
    say: (line) => t.diagnostic(line),
  });
  t.diagnostic(JSON.stringify(report));
  assert(report.kills >= 2, "workers were killed");
  assert(report.residentMbMax < 250, `a worker held ${report.residentMbMax} MB`);
});
