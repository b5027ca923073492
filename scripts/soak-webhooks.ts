/**
 * Many webhooks in bad weather: `npm run soak:webhooks` sends 100,000 events (or as many as it is
 * told: `-- 20000`) to 50 endpoints of which a third misbehave, kills workers at random, and then
 * wants everything to have arrived. Not part of `npm test`: it takes some minutes.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { endAll } from "../test/support/processes.ts";
import { runFleet } from "../test/webhooks/fleet.ts";

const eventCount = Number(process.argv[2] ?? 100_000);
const RESIDENT_MB_MAX = 300;
const folder = await mkdtemp(path.join(tmpdir(), "windward-soak-"));
const log = createLog({ level: "warn" });
const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), log });
const say = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
try {
  await migrate({ url: postgres.url, log });
  const report = await runFleet({
    databaseUrl: postgres.url,
    eventCount,
    workers: 3,
    killEveryMs: { min: 5_000, max: 30_000 },
    killsMax: Number.POSITIVE_INFINITY,
    settleSeconds: 4 * 3_600,
    say,
  });
  say(JSON.stringify(report));
  if (report.residentMbMax > RESIDENT_MB_MAX) throw new Error("a worker held too much memory");
} finally {
  await endAll();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
