/**
 * The guarantee: an operator's file is where its name was typed, a file that is made again does not
 * pass for a new one, and a withdrawal that was sent twice is counted once.
 */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { operator, operatorJson, operatorProcess, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { expectAllToAddUp, type Owner, statusOf } from "../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  readAnswer,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "windward-places-")));

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await liveOwner(service);
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("names count from where npm was called, and are shown whole", async () => {
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
  const here = { settings: { INIT_CWD: folder } };
  const made = await operatorProcess(
    service,
    ["make-bank-file", "--currency", "TTD", "--to", "sent.xml", ...SIGNED],
    here,
  );
  const sent = path.join(folder, "sent.xml");
  assert.ok(made.stdout.includes(`It is in ${sent}. Hand it to the bank once`), made.stdout);
  const batch = /TT-TTD-\d{8}-[0-9A-F]{8}/.exec(made.stdout)?.[0] ?? assert.fail(made.stdout);
  const again = await operator(
    service,
    ["make-bank-file", "--batch", batch, "--to", "./again.xml", ...SIGNED],
    here,
  );
  assert.match(
    again.stdout,
    /xml\. The same file as on [\d :-]+Z: hand it in only if the bank does not have it\.$/m,
  );
  assert.doesNotMatch(again.stdout, /once/);
  assert.ok(readFileSync(path.join(folder, "again.xml")).equals(readFileSync(sent)));
  const missing = await operator(service, ["read-bank-status", "none.xml", ...SIGNED], here);
  assert.deepEqual(
    [missing.code, missing.stderr],
    [1, `There is no such file: ${path.join(folder, "none.xml")}\n`],
  );
  const payments = [{ id: await endToEndIdOf(service, id), status: "ACSC" }];
  writeFileSync(path.join(folder, "status.xml"), statusFile({ to: batch, payments }));
  await operatorJson(service, ["read-bank-status", "status.xml", ...SIGNED], here);
  assert.equal(await statusOf(service, id), "completed");
});

test("export-payouts shows a stopped payout as stopped, and adds up each withdrawal once", async () => {
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "20.00" }]);
  await makeFile(service);
  const told = ["--tell", "We look at it", "--not-paid", ...SIGNED];
  await operatorJson(service, ["hold-withdrawal", id, ...told]);
  await operatorJson(service, ["release-withdrawal", id, "--not-paid", ...SIGNED]);
  await service.clock.advance({ seconds: 6 });
  const { batch } = await makeFile(service);
  const payments = [{ id: await endToEndIdOf(service, id), status: "ACSC" }];
  await readAnswer(service, statusFile({ to: batch.message_id, payments }));
  const [held = ""] = await waitingOnes(service, owner, [{ amount: "7.00" }]);
  await makeFile(service);
  await operatorJson(service, ["hold-withdrawal", held, ...told]);
  const days = await service.ctx.db.rows<{ day: string }>(sql`
    select distinct (began_at at time zone 'America/Port_of_Spain')::date::text as day
    from payouts order by day`);
  const exports = [];
  for (const { day } of days) exports.push(await operatorJson(service, ["export-payouts", day]));
  const rows = exports
    .flatMap(({ payouts }) => payouts)
    .filter((one) => one.transaction_id === id || one.transaction_id === held);
  assert.deepEqual(
    rows.map((one) => [one.amount, one.status, one.completed_at === null]),
    [
      ["20.00", "stopped", true],
      ["20.00", "completed", false],
      ["7.00", "stopped", true],
    ],
  );
  const sums = new Map<string, number>();
  for (const { status, total } of exports.flatMap(({ totals }) => totals))
    sums.set(status, (sums.get(status) ?? 0) + Number(total));
  // The 10.00 of the test before, and this one's 20.00, once.
  assert.deepEqual([sums.get("completed"), sums.get("stopped"), sums.size], [30, 7, 2]);
  await expectAllToAddUp(service);
});
