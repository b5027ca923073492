/**
 * A million random postings on the ledger and on the model beside it: `npm run soak:ledger`, or
 * `npm run soak:ledger -- <postings> <seed>`. It prints its seed; the same seed does the same.
 */

import { randomInt } from "node:crypto";
import { openDatabase } from "../src/infra/db/database.ts";
import { createLog } from "../src/infra/log.ts";
import { reconcile } from "../src/modules/ledger/reconcile.ts";
import { compareWithModel } from "../test/ledger/model.ts";
import { makeMerchants } from "../test/support/books.ts";
import { freshDatabase } from "../test/support/database.ts";
import { globalSetup, globalTeardown } from "../test/support/setup.ts";

const OPERATIONS = Number(process.argv[2] ?? 1_000_000);
const MERCHANTS = 1_000;
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`${OPERATIONS} postings, seed ${seed}`);
await globalSetup();
const database = await freshDatabase();
const log = createLog({ level: "warn" });
const db = openDatabase({ url: database.url, connectionsMax: 4, log });
try {
  const merchants = await makeMerchants(db, MERCHANTS);
  const beganAt = performance.now();
  const counts = await compareWithModel(db, { operations: OPERATIONS, merchants, seed });
  say(`the model agrees after ${seconds(beganAt)} s: ${JSON.stringify(counts)}`);
  const addedAt = performance.now();
  const { differenceCount, entryCount } = await reconcile(db);
  say(`${entryCount} entries re-added in ${seconds(addedAt)} s: ${differenceCount} differences`);
  process.exitCode = differenceCount === 0 ? 0 : 1;
} finally {
  await db.close();
  await database.drop();
  await globalTeardown();
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
