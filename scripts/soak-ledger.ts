/**
 * A million random postings on the ledger and on the model beside it: `npm run soak:ledger`, or
 * `npm run soak:ledger -- --postings 20000 --seed 7`. It prints its seed; the same seed does the
 * same.
 */

import { openDatabase } from "../src/infra/db/database.ts";
import { createLog } from "../src/infra/log.ts";
import { reconcile } from "../src/modules/ledger/reconcile.ts";
import { makeMerchants } from "../testkit/books.ts";
import { freshDatabase } from "../testkit/database.ts";
import { compareWithModel } from "../testkit/ledger-model.ts";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number, seed as seedOption } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";

const MERCHANTS = 1_000;
const { postings, seed } = readCommand({
  name: "soak:ledger",
  about:
    "Does random postings on the ledger and on a model of it in memory: answers and balances " +
    "must be the same, and re-adding every entry must find no difference.",
  takes: "Takes some five minutes with a million.",
  options: {
    postings: number({ about: "how many to do", min: 1, max: 100_000_000 }, 1_000_000),
    seed: seedOption(),
  },
});

await runTool("soak-ledger", async (tool) => {
  say(`${postings} postings, seed ${seed}`);
  await tool.keep(globalSetup, globalTeardown);
  const database = await tool.keep(freshDatabase, ({ drop }) => drop());
  const log = createLog({ level: "warn" });
  const db = openDatabase({ url: database.url, connectionsMax: 4, log });
  tool.add(() => db.close());
  const merchants = await makeMerchants(db, MERCHANTS);
  const beganAt = performance.now();
  let done = 0;
  const howFar = () => `  ${done} of ${postings} postings after ${seconds(beganAt)} s`;
  whenQuiet(() => (done < postings ? howFar() : `${howFar()}; balances are compared`));
  const counts = await compareWithModel(db, {
    operations: postings,
    merchants,
    seed,
    onProgress(posted) {
      done = posted;
    },
  });
  say(`the model agrees after ${seconds(beganAt)} s: ${JSON.stringify(counts)}`);
  const addedAt = performance.now();
  whenQuiet(() => `  all ${postings} are done; entries are re-added since ${seconds(addedAt)} s`);
  const { differenceCount, entryCount } = await reconcile(db);
  say(`${entryCount} entries re-added in ${seconds(addedAt)} s: ${differenceCount} differences`);
  return differenceCount === 0;
});

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
