/**
 * The guarantee: while service, tool and receiver are killed at random moments, `windward listen`
 * loses no event, keeps the order of each record, and repeats only what it had not written down.
 * `npm run soak:listen` is the same with 5,000 events and 200 kills. Seed: LISTEN_SEED.
 */

import { randomInt } from "node:crypto";
import { after, test } from "node:test";
import { freshDatabase } from "../../testkit/database.ts";
import { runStorm } from "../../testkit/listen-storm.ts";
import { endAll } from "../../testkit/processes.ts";

after(endAll);

test("nothing is lost under kills of service, tool and receiver", async (t) => {
  const seed = Number(process.env.LISTEN_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`LISTEN_SEED=${seed}`);
  const database = await freshDatabase();
  const report = await runStorm({
    databaseUrl: database.url,
    events: 1_000,
    kills: 30,
    killEveryMs: { min: 0, max: 300 },
    seed,
    settleSeconds: 180,
    say: (line) => t.diagnostic(line),
  });
  t.diagnostic(JSON.stringify(report));
  await database.drop();
});
