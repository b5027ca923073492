/**
 * `npm run soak:listen`: `windward listen` with 5,000 events while service, tool and receiver are
 * killed 200 times at random moments. Not part of `npm run proof`, which has a smaller one.
 */

import { randomInt } from "node:crypto";
import path from "node:path";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { runStorm } from "../testkit/listen-storm.ts";
import { endAll } from "../testkit/processes.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, stampLines } from "../testkit/tool/say.ts";

const { events, kills, seed } = readCommand({
  name: "soak:listen",
  about:
    "Kills the service, windward listen and its receiver at random: in the end each event must " +
    "have been acknowledged, in the order of its record, and none written down may come again.",
  takes: "Takes three to five minutes.",
  options: {
    events: number({ about: "how many to make", min: 100, max: 1_000_000 }, 5_000),
    kills: number({ about: "how many processes to kill", min: 1, max: 100_000 }, 200),
    seed: number({ about: "of all chance", min: 0, max: 2 ** 31 }, randomInt(2 ** 31)),
  },
});
stampLines(() => `${new Date().toISOString()} `);

await runTool("soak-listen", async (tool) => {
  const log = createLog({ level: "warn" });
  const dataDir = path.join(tool.folder, "data");
  const postgres = await tool.keep(
    () => startEmbeddedPostgres({ dataDir, log }),
    (started) => started.stop(),
  );
  await migrate({ url: postgres.url, log });
  tool.add(endAll);
  say(`--seed ${seed}`);
  const databaseUrl = postgres.url;
  const killEveryMs = { min: 0, max: 300 };
  const plan = { databaseUrl, events, kills, killEveryMs, seed, settleSeconds: 300, say };
  say(JSON.stringify(await runStorm(plan)));
  return true;
});
