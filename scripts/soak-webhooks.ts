/**
 * Many webhooks in bad weather: `npm run soak:webhooks` sends 100,000 events (or as many as it is
 * told: `-- --events 20000`) to 50 endpoints of which a third misbehave, kills workers at random,
 * and then wants everything to have arrived. Not part of `npm test`: it takes some minutes.
 */

import path from "node:path";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { endAll } from "../testkit/processes.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, stampLines, whenQuiet } from "../testkit/tool/say.ts";
import { runFleet } from "../testkit/webhook-fleet.ts";

const RESIDENT_MB_MAX = 300;
const { events: eventCount } = readCommand({
  name: "soak:webhooks",
  about:
    "Sends events to 50 endpoints of which a third misbehave, while workers are killed at " +
    "random: in the end each event must have arrived, and no worker may have held much memory.",
  takes: "Takes eight minutes with 100000 events.",
  options: { events: number({ about: "how many to send", min: 100, max: 10_000_000 }, 100_000) },
});
stampLines(() => `${new Date().toISOString()} `);

await runTool("soak-webhooks", async (tool) => {
  const log = createLog({ level: "warn" });
  const dataDir = path.join(tool.folder, "data");
  const postgres = await tool.keep(
    () => startEmbeddedPostgres({ dataDir, log }),
    (started) => started.stop(),
  );
  await migrate({ url: postgres.url, log });
  tool.add(endAll);
  const report = await runFleet({
    databaseUrl: postgres.url,
    eventCount,
    workers: 3,
    killEveryMs: { min: 5_000, max: 30_000 },
    killsMax: Number.POSITIVE_INFINITY,
    settleSeconds: 4 * 3_600,
    say,
    onStep: whenQuiet,
  });
  say(JSON.stringify(report));
  if (report.residentMbMax > RESIDENT_MB_MAX) throw new Error("a worker held too much memory");
  return true;
});
