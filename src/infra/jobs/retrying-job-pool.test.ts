/** What the job runner may do to the connection that it listens on. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pool } from "pg";
import { createRetryingJobPool } from "./retrying-job-pool.ts";

test("a connection that is given back twice is given back once", () => {
  let releases = 0;
  const release = () => {
    releases += 1;
  };
  const given = {
    connect: (found: (error: undefined, client: object, release: () => void) => void) =>
      found(undefined, {}, release),
  };
  const { pool } = createRetryingJobPool(given as unknown as Pool);
  pool.connect((_error, _client, giveBack) => {
    giveBack();
    giveBack();
  });
  assert.equal(releases, 1);
});
