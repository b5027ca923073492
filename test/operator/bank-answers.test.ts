/**
 * The guarantee: what a bank has said against us stays with the withdrawal, so nobody sends it
 * again without a question; whatever a bank says is shown, and never a whole number of an account.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { auditOf, expectRefusals, operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { expectAllToAddUp, type Owner, read, statusOf } from "../../testkit/withdrawals.ts";
import {
  type Answered,
  endToEndIdOf,
  liveOwner,
  makeFile,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

const folder = mkdtempSync(path.join(tmpdir(), "windward-bank-answers-"));
const file = path.join(folder, "status.xml");

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

const TOLD = ["--tell", "We look at it"] as const;

/** One in a file for the bank, and how the bank answers it. */
async function sendOne() {
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
  const { batch } = await makeFile(service);
  const name = await endToEndIdOf(service, id);
  const answer = (line: Answered | undefined, more: object = {}) => {
    const payments = line === undefined ? [] : [{ id: name, ...line }];
    writeFileSync(file, statusFile({ to: batch.message_id, payments, ...more }));
    return operator(service, ["read-bank-status", file, ...SIGNED]);
  };
  return { id, batch: batch.message_id, answer };
}

const trailOf = async (id: string) =>
  (await operatorJson(service, ["show-withdrawal", id])).audit.map(
    (one: { action: string }) => one.action,
  );

describe("a withdrawal that was stopped and paid by its bank after all", () => {
  test("has that in its trail, and is not released without the word that it is not paid", async () => {
    const { id, batch, answer } = await sendOne();
    await operatorJson(service, ["hold-withdrawal", id, ...TOLD, "--not-paid", ...SIGNED]);
    assert.equal((await auditOf(service)).at(-1)?.detail.not_paid, true);
    const said = await answer({ status: "ACSC" });
    assert.equal(said.code, 1);
    assert.match(said.stdout, /it must not be paid again\. Do not release it/);
    assert.doesNotMatch(said.stdout, /money twice/);
    const [contradicted, whole] = (await auditOf(service)).slice(-2);
    assert.deepEqual(contradicted, {
      action: "bank_contradicted",
      account_number: owner.accountNumber,
      actor: "operator D. Joseph",
      detail: { why: "ticket 4711", transaction_id: id, batch, said: "ACSC" },
    });
    assert.equal(whole?.action, "bank_status_read");
    assert.ok((await trailOf(id)).includes("bank_contradicted"));
    await expectRefusals(service, [
      [
        ["release-withdrawal", id, ...SIGNED],
        `${id} is held, and a bank was told to pay it. Ask the bank; if it has not paid it and ` +
          "never will, say so with --not-paid.",
      ],
    ]);
    await operatorJson(service, ["release-withdrawal", id, "--not-paid", ...SIGNED]);
    assert.equal((await auditOf(service)).at(-1)?.detail.not_paid, true);
    assert.equal(await statusOf(service, id), "pending");
    await expectAllToAddUp(service);
  });

  test("has one entry for all lines about it, and none when the file agrees", async () => {
    const { id, answer } = await sendOne();
    const before = (await auditOf(service)).length;
    await answer({ status: "ACSC" }, { partStatus: "RJCT" });
    const added = (await auditOf(service)).slice(before);
    assert.deepEqual(
      added.map(({ action, detail }) => [action, detail.said]),
      [
        ["bank_contradicted", "ACSC"],
        ["bank_status_read", undefined],
      ],
    );
    assert.equal((await answer({ status: "ACSC" })).code, 0);
    assert.deepEqual(
      [await statusOf(service, id), (await auditOf(service)).length],
      ["completed", before + 3],
    );
  });
});

describe("what a bank says", () => {
  test("is in the trail of the withdrawal: the file it went with, and the answer to it", async () => {
    const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const to = path.join(folder, "sent.xml");
    const made = ["make-bank-file", "--currency", "TTD", "--to", to, ...SIGNED];
    const { batch } = await operatorJson(service, made);
    const payments = [{ id: await endToEndIdOf(service, id), status: "ACSC" }];
    writeFileSync(file, statusFile({ to: batch, payments }));
    await operatorJson(service, ["read-bank-status", file, ...SIGNED]);
    assert.deepEqual(await trailOf(id), [
      "bank_status_read",
      "bank_file_made",
      "withdrawal_created",
    ]);
    const { id: other } = await sendOne();
    assert.deepEqual(await trailOf(other), ["withdrawal_created"]);
  });

  test("of the whole file is shown, though no payment moves by it", async () => {
    const { id, batch, answer } = await sendOne();
    const said = await answer(undefined, { group: "ACCP", partStatus: "PDNG" });
    assert.equal(said.code, 0);
    assert.match(said.stdout, /^The bank says of the whole file: ACCP$/m);
    assert.match(said.stdout, new RegExp(`^The bank says of part ${batch}-T: PDNG$`, "m"));
    assert.equal(await statusOf(service, id), "processing");
  });

  test("is shown in its own words, with no whole number of an account or document", async () => {
    const { id, answer } = await sendOne();
    const text = "Account 0012345678 unknown, ID 19800101123";
    const said = await answer({ status: "RJCT", reason: "XX99", text });
    assert.match(said.stdout, / RJCT XX99: Account \*{4} unknown, ID \*{4} +failed /);
    const record = JSON.stringify(await read(service, owner, id));
    assert.match(record, /Account \*{4} unknown/);
    const { count } = await service.ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from events
      where to_jsonb(events)::text ~ '0012345678|19800101123'`);
    assert.equal(count, 0);
    assert.doesNotMatch(record + said.stdout, /0012345678|19800101123/);
  });
});

test("what an operator tells an owner has no whole number of an account either", async () => {
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
  const told = ["--tell", "Account 0012345678 is closed"];
  await operatorJson(service, ["hold-withdrawal", id, ...told, ...SIGNED]);
  assert.match((await read(service, owner, id)).status_description, /Account \*{4} is closed$/);
});

test("bank-files says when there are more than it shows", async () => {
  await service.ctx.db.run(sql`
    insert into payout_batches (message_id, environment, country_code, currency, bank_day,
      payment_count, total_minor, file_sha256, file_sealed, wrapping_key_id, made_by)
    select 'OLD-' || one, 'live', 'TT', 'TTD', '2026-01-01', 1, 1, sha256('x'),
      sha256('x') || sha256('y'), 'w', 'D. Joseph'
    from generate_series(1, 101) as one`);
  const shown = await operator(service, ["bank-files"]);
  assert.match(shown.stdout, /\n {2}and more: 100 are shown\n$/);
  const data = await operatorJson(service, ["bank-files"]);
  assert.deepEqual([data.bank_files.length, data.is_complete], [100, false]);
});
