/**
 * The guarantee: what was committed can be restored to any moment, and a backup that cannot be
 * restored is noticed (Decision 0126). By the scripts and units of docs/operations/, on one server;
 * `npm run drill -- --cluster` does the same with three nodes and payments under way.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { migrate } from "../../src/infra/db/migrate.ts";
import { createLog } from "../../src/infra/log.ts";
import { CARDS, openOrder, submit } from "../../testkit/checkout-sessions.ts";
import { RESTORED } from "../../testkit/guide/paths.ts";
import { REPORT, readReport } from "../../testkit/guide/restore-report.ts";
import { variablesOf } from "../../testkit/guide/unit-variables.ts";
import { COUNT, MARK, type Mark, readMark } from "../../testkit/restored-counts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { type ArchivedPostgres, startArchivedPostgres } from "./archived-postgres.ts";

let postgres: ArchivedPostgres;
let service: TestService;

before(
  async () => {
    postgres = await startArchivedPostgres();
    await migrate({ url: postgres.url, log: createLog({ level: "silent" }) });
    service = await startService({ database: { url: postgres.url, drop: async () => {} } });
  },
  { timeout: 300_000 },
);
after(async () => {
  await service?.stop();
  await postgres?.stop();
});

/** As systemd would: without its restrictions. */
function start(unit: string, instance = ""): Promise<string> {
  const file = new URL(`../../docs/operations/${unit}`, import.meta.url);
  const command = variablesOf(readFileSync(file, "utf8")).ExecStart ?? "";
  const [program = "", ...args] = command.replaceAll("%i", instance).split(" ");
  return postgres.run(program.replace("/usr/bin/", ""), ...args);
}

async function pay(times: number): Promise<Mark> {
  for (let paid = 0; paid < times; paid++)
    await submit(service, await openOrder(service), CARDS.approved);
  await service.numberEvents();
  return readMark(await postgres.query(MARK));
}

const report = () => readReport(readFileSync(postgres.at(REPORT), "utf8"));

test("the newest backup is restored with every change since, and its books are re-added", async () => {
  await pay(1);
  await start("windward-backup.service", "full");
  const { counts } = await pay(2);
  await postgres.run("pgbackrest", "--stanza=windward", "check");
  const said = await start("windward-restore-test.service");
  assert.match(said, new RegExp(`It has ${counts.payments} payments, .* ${counts.events} events`));
  assert.match(said, new RegExp(`The books balance: .* ${counts.payments} payments`));
  const { failed, succeededAt } = report();
  assert.equal(failed, 0);
  assert(Math.abs(Date.now() / 1_000 - succeededAt) < 600);
});

test("a test without some of the changes fails, and keeps when the last one succeeded", async () => {
  const { succeededAt } = report();
  const archive = postgres.at("/var/lib/pgbackrest/archive/windward");
  renameSync(archive, `${archive}.away`);
  try {
    await assert.rejects(start("windward-restore-test.service"), /could not locate|unable to find/);
  } finally {
    renameSync(`${archive}.away`, archive);
  }
  assert.deepEqual(report(), { failed: 1, succeededAt });
});

test("a file that is missing between others is noticed by every restore", async () => {
  const { succeededAt } = report();
  const folder = postgres.at("/var/lib/pgbackrest/archive/windward");
  const segments = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /[0-9A-F]{24}-[0-9a-f]{40}/.test(name),
    );
  await pay(1);
  const before = segments();
  await postgres.run("pgbackrest", "--stanza=windward", "check");
  const [missing = ""] = segments().filter((name) => !before.includes(name));
  await pay(1);
  await postgres.run("pgbackrest", "--stanza=windward", "check");
  const file = path.join(folder, missing);
  renameSync(file, `${file}.away`);
  try {
    await assert.rejects(start("windward-restore-test.service"), {
      stderr: /the archive goes on to [0-9A-F]{24}: one between them,/,
    });
  } finally {
    renameSync(`${file}.away`, file);
  }
  assert.deepEqual(report(), { failed: 1, succeededAt });
});

test("a moment before a mistake is restored with exactly what was there", async () => {
  const early = await pay(2);
  await start("windward-backup.service", "diff");
  const late = await pay(3);
  assert(late.counts.payments > early.counts.payments);
  await postgres.query("set session_replication_role = replica; delete from transactions");
  await postgres.run("pgbackrest", "--stanza=windward", "check");
  for (const { moment, counts } of [late, early]) {
    await postgres.run("/usr/local/lib/windward/restore.sh", postgres.at(RESTORED), moment);
    const found = await postgres.query(COUNT, `${postgres.at(RESTORED)}/socket`);
    assert.deepEqual(readMark(found).counts, counts);
    await postgres.run(
      "/usr/lib/postgresql/15/bin/pg_ctl",
      ...["-D", `${postgres.at(RESTORED)}/data`, "-m", "immediate", "stop"],
    );
    await postgres.run("rm", "-rf", postgres.at(RESTORED));
  }
});

test("a backup whose books differ is not called whole", async () => {
  await assert.rejects(start("windward-restore-test.service"), {
    stdout: /The books differ in \d+ places/,
  });
  assert.equal(report().failed, 1);
});
