/**
 * Writes what is made from the code: `db/schema.sql`, `src/infra/db/tables.ts`,
 * `.env.example`, the commands of `docs/operator.md`, the tables in `docs/capacity.md`, and the
 * types and names of the SDK. The tests fail when one of them is not what this would write.
 */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { SETTINGS } from "../src/infra/settings.ts";
import { COMMANDS } from "../src/modules/operator/commands.ts";
import { readMeasured } from "./capacity/measured.ts";
import { renderDistribution, renderMeasured } from "./capacity/render-capacity.ts";
import { type KeyFacts, readKeyFacts } from "./distribution/key-facts.ts";
import { PLACES } from "./distribution/places.ts";
import { dumpSchema } from "./dump-schema.ts";
import { renderEnvExample } from "./env-example.ts";
import { renderOperatorPage } from "./operator-page.ts";
import { renderSdkApi } from "./sdk-api.ts";

const ROOT = new URL("../", import.meta.url);

interface Migrated {
  readonly files: Awaited<ReturnType<typeof dumpSchema>>;
  readonly facts: readonly KeyFacts[];
}

async function schemaOfMigrations(): Promise<Migrated> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-generate-"));
  const log = createLog({ level: "warn" });
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), log });
  try {
    await migrate({ url: postgres.url, log });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return { files: await dumpSchema(client), facts: await readKeyFacts(client) };
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const { files, facts } = await schemaOfMigrations();
for (const [file, text] of Object.entries(files)) await writeFile(new URL(file, ROOT), text);
const capacityPage = new URL("docs/capacity.md", ROOT);
const capacity = await readFile(capacityPage, "utf8");
const measured = renderMeasured(capacity, readMeasured());
await writeFile(capacityPage, renderDistribution(measured, facts, PLACES));
await writeFile(new URL(".env.example", ROOT), renderEnvExample(SETTINGS));
const operatorPage = new URL("docs/operator.md", ROOT);
await writeFile(operatorPage, renderOperatorPage(await readFile(operatorPage, "utf8"), COMMANDS));
for (const [file, text] of Object.entries(await renderSdkApi()))
  await writeFile(new URL(file, ROOT), text);
process.stdout.write(
  "Wrote db/schema.sql, src/infra/db/tables.ts, .env.example, the commands of docs/operator.md, " +
    "the tables in docs/capacity.md and the generated files of sdk/src/.\n",
);
