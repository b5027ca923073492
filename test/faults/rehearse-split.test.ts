/**
 * The guarantee: accounts can be split over two databases and brought back (Decision 0135). The
 * real rehearsal with few payments: its own comparisons decide.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";

const REHEARSAL = fileURLToPath(new URL("../../scripts/rehearse-split.ts", import.meta.url));

test("accounts are split, served apart and brought back, and nothing differs", async () => {
  const args = [REHEARSAL, "--operations", "12", "--seed", "5"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: KEPT_SETTINGS });
  assert.match(stdout, /\nNothing was lost, doubled or changed\.\n$/);
  assert.match(stdout, /part-1: \d+ operations acknowledged/);
  assert.match(stdout, /part-2: \d+ operations acknowledged/);
  const steps = [...stdout.matchAll(/ (\d+) rows of \d+ tables compared.*, 0 differ/g)];
  assert.deepEqual(
    steps.map(([, rows]) => Number(rows) > 500),
    [true, true, true],
  );
});
