/**
 * Jobs that run every hour are kept out of what is measured: which of them runs meanwhile would
 * depend on the minute. Those that read all of the history are timed by themselves.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./with-client.ts";

/** Re-add the books, and match each payment to them. */
const WHOLE_CHECKS = ["reconcile-ledger", "reconcile-records"];
const EVERY_MINUTE = ["add-up-statements", "forget-cards"];
const LOOK_MS = 50;
const WAIT_MS_MAX = 15 * 60_000;

/** Of a service that has been started once, and is not running. */
export async function holdHourlyJobs(database: URL): Promise<void> {
  await withClient(database, async (client) => {
    const { rowCount } = await client.query(
      "update graphile_worker._private_known_crontabs set last_execution = '2100-01-01' " +
        "where identifier <> all ($1)",
      [EVERY_MINUTE],
    );
    if (rowCount === 0) throw new Error("the service has no hourly jobs to hold");
  });
}

/** The seconds that a running service takes for both. */
export function timeWholeChecks(database: URL): Promise<number> {
  return withClient(database, async (client) => {
    const beganAt = performance.now();
    for (const name of WHOLE_CHECKS) {
      await client.query("select graphile_worker.add_job($1)", [name]);
      for (let isLeft = true; isLeft; ) {
        if (performance.now() - beganAt > WAIT_MS_MAX) throw new Error(`${name} takes too long`);
        await sleep(LOOK_MS);
        const { rows } = await client.query(
          "select last_error from graphile_worker.jobs where task_identifier = $1",
          [name],
        );
        const failed = rows.find(({ last_error }) => last_error !== null);
        if (failed !== undefined) throw new Error(`${name} failed: ${failed.last_error}`);
        isLeft = rows.length > 0;
      }
    }
    return (performance.now() - beganAt) / 1_000;
  });
}
