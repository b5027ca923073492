/**
 * The guarantee (Decision 0136): a bank's answer that somebody uploads gives up no payment to which
 * a second person has to agree; a terminal's does, and so does a page for a small one.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Tab } from "../../testkit/console.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { expectAllToAddUp, type Owner, statusOf } from "../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

const service = await startService();
const folder = mkdtempSync(path.join(tmpdir(), "windward-answer-of-two-"));
let owner: Owner;
let tab: Tab;
before(async () => {
  owner = await liveOwner(service, { live: "100000.00 TTD" });
  tab = await signInOperator(service, await makeOperator(service, "finance"));
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Withdrawals in one file, and the bank's answer that refuses all of them. */
async function refused(...amounts: readonly string[]) {
  const ids = await waitingOnes(
    service,
    owner,
    amounts.map((amount) => ({ amount })),
  );
  const { batch } = await makeFile(service);
  const names = await Promise.all(ids.map((id) => endToEndIdOf(service, id)));
  const payments = names.map((id) => ({ id, status: "RJCT", reason: "AC04" }));
  return { ids, text: statusFile({ to: batch.message_id, payments }) };
}

function upload(text: string) {
  const from = "/operator/uploads/read-bank-status";
  return tab.upload(from, { field: "file", text }, { from, form: { why: "4711" } });
}

test("an uploaded answer gives up small payments, and none of a file with a large one", async () => {
  const small = await refused("100.00", "4999.99");
  assert.equal((await upload(small.text)).status, 200);
  for (const id of small.ids) assert.equal(await statusOf(service, id), "failed");

  const large = await refused("100.00", "5000.00");
  const answer = await upload(large.text);
  assert.equal(answer.status, 409);
  assert.match(answer.text, /to which a second person has to agree/);
  for (const id of large.ids) assert.notEqual(await statusOf(service, id), "failed");

  const file = path.join(folder, "status.xml");
  writeFileSync(file, large.text);
  await operatorJson(service, ["read-bank-status", file, ...SIGNED]);
  for (const id of large.ids) assert.equal(await statusOf(service, id), "failed");
});
