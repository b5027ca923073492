/**
 * The guarantee: what the bank settles is completed and what it refuses fails, once; and a status
 * file with unknown, doubled, contradictory or odd lines changes nothing wrongly and says so line
 * by line.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { moveWithdrawal } from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  read,
  SUB_UNBANKED,
  statusOf,
} from "../../../testkit/withdrawals.ts";
import {
  type Answered,
  endToEndIdOf,
  FIRST_LINE,
  liveOwner,
  makeFile,
  readAnswer,
  statusFile,
  waitingOnes,
} from "./bank-files-support.ts";

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await liveOwner(service);
});
after(() => service.stop());

interface Sent {
  readonly to: string;
  readonly ids: readonly string[];
  /** As the bank knows them. */
  readonly names: readonly string[];
}

/** A file of so many payments of 10.00 TTD. */
async function send(count: number, fields: object = {}): Promise<Sent> {
  const asked = Array.from({ length: count }, () => ({ amount: "10.00", ...fields }));
  const ids = await waitingOnes(service, owner, asked);
  const { batch } = await makeFile(service);
  const names = await Promise.all(ids.map((id) => endToEndIdOf(service, id)));
  return { to: batch.message_id, ids, names };
}

const answered = (sent: Sent, payments: readonly Answered[], more: object = {}) =>
  readAnswer(service, statusFile({ to: sent.to, payments, ...more }));

const statuses = ({ ids }: Sent) => Promise.all(ids.map((id) => statusOf(service, id)));

/** Every row of money and state, as text: equal before and after what changes nothing. */
async function everything(): Promise<string> {
  const { text } = await service.ctx.db.one<{ text: string }>(sql`
    select concat(
      (select json_agg(one order by transaction_id) from withdrawals as one),
      (select json_agg(one order by transaction_id, number) from payouts as one),
      (select json_agg(one order by posting_id) from ledger_postings as one),
      (select count(*) from events)) as text`);
  return text;
}

describe("the bank's answer", () => {
  test("completes what is settled, fails what is refused, leaves what is under way", async () => {
    const before = await fundsOf(service, owner, "TTD", "live");
    const sent = await send(4);
    const [paid, refused, open, silent] = sent.names;
    const { findings, waiting } = await answered(sent, [
      { id: paid, status: "ACSC", amount: "10.00" },
      { id: refused, status: "RJCT", reason: "AC04", text: "ACCT CLSD" },
      { id: open, status: "PDNG" },
    ]);
    assert.ok(silent);
    assert.deepEqual(
      findings.map(({ line, result, transactionId }) => [line, result, transactionId]),
      [
        [FIRST_LINE, "completed", sent.ids[0]],
        [FIRST_LINE + 1, "failed", sent.ids[1]],
        [FIRST_LINE + 2, "under way", sent.ids[2]],
      ],
    );
    assert.equal(waiting, 2);
    assert.deepEqual(await statuses(sent), ["completed", "failed", "processing", "processing"]);
    assert.match(
      (await read(service, owner, sent.ids[1] ?? "")).status_description,
      /Reason: The bank refused it \(AC04\): the account is closed$/,
    );
    assert.deepEqual(await eventsOf(service, sent.ids[0] ?? ""), [
      "pending",
      "processing",
      "completed",
    ]);
    await answered(
      sent,
      [open, silent].map((id) => ({ id, status: "RJCT" })),
    );
    // One was paid, with its fee; the other three are back, with theirs.
    const [available = "", held] = before.split(" + ");
    const left = (Number(available) - 15).toFixed(2);
    assert.equal(await fundsOf(service, owner, "TTD", "live"), `${left} + ${held}`);
    await expectAllToAddUp(service);
  });

  test("read again changes nothing, and says that it is nothing new", async () => {
    const sent = await send(2);
    const lines = [
      { id: sent.names[0], status: "ACCC" },
      { id: sent.names[1], status: "RJCT" },
    ];
    await answered(sent, lines);
    const before = await everything();
    const again = await answered(sent, lines);
    assert.deepEqual(
      again.findings.map(({ result }) => result),
      ["nothing new", "nothing new"],
    );
    assert.equal(await everything(), before);
  });

  test("for the whole file or a part counts for every payment in it", async () => {
    const refused = await send(2);
    const { findings } = await answered(refused, [], { group: "RJCT", groupReason: "FF01" });
    assert.deepEqual(await statuses(refused), ["failed", "failed"]);
    assert.deepEqual([...new Set(findings.map(({ line }) => line))], [4]);
    const settled = await send(2);
    await answered(settled, [], { group: "PART", partStatus: "ACSC" });
    assert.deepEqual(await statuses(settled), ["completed", "completed"]);
    const cheque = await send(1, { ...SUB_UNBANKED, environment: "live", amount: "10.00" });
    await answered(cheque, [], { partStatus: "ACSC" });
    assert.deepEqual(await statuses(cheque), ["processing"], "of another part");
    await answered(cheque, [], { part: `${cheque.to}-C`, partStatus: "ACSC" });
    assert.deepEqual(await statuses(cheque), ["completed"]);
    const part = await send(1);
    await answered(part, [{ id: part.names[0], reason: "AC01" }], { partStatus: "RJCT" });
    assert.deepEqual(await statuses(part), ["failed"], "a line that only gives the reason");
    await expectAllToAddUp(service);
  });

  test("names payments in capitals as well", async () => {
    const sent = await send(1);
    await answered(sent, [{ id: sent.names[0]?.toUpperCase() ?? "", status: "ACSC" }]);
    assert.deepEqual(await statuses(sent), ["completed"]);
  });
});

describe("an answer that is odd", () => {
  test("changes nothing, and each line is told with what is wrong", async () => {
    const sent = await send(8);
    const [a = "", b, c, d, e, f, g, h] = sent.names;
    const stranger = "00000000000000000000000000000000";
    const cases: [line: Answered, result: string, words: RegExp][] = [
      [{ id: stranger, status: "ACSC" }, "unknown payment", /no such payment/],
      [{ status: "ACSC" }, "unknown payment", /no such payment/],
      [{ id: a, status: "ACSC" }, "contradiction", /says ACSC and RJCT of it/],
      [{ id: a, status: "RJCT" }, "contradiction", /says ACSC and RJCT of it/],
      [{ id: b, status: "PDNG" }, "contradiction", /says PDNG and ACSC/],
      [{ id: b, status: "ACSC" }, "contradiction", /says PDNG and ACSC/],
      [{ id: c, status: "ACSC", amount: "10.01" }, "other amount", /says 10.01 TTD, we sent 10.00/],
      [
        { id: d, status: "ACSC", amount: "10.00", currency: "USD" },
        "other amount",
        /says 10.00 USD, we sent 10.00 TTD/,
      ],
      [{ id: e, status: "XXXX" }, "unknown code", /Nobody here knows XXXX/],
      [{ id: f }, "unknown code", /says nothing of it/],
      [{ id: g, status: "RJCT", reason: "AM05" }, "refused as a double", /Ask whether that one/],
      [{ id: h, status: "RJCT", reason: "DU04" }, "refused as a double", /Ask whether that one/],
      [{ id: c, status: "ACSC", amount: "ten" }, "told twice", /says so already/],
    ];
    const before = await everything();
    const { findings, waiting } = await answered(
      sent,
      cases.map(([line]) => line),
    );
    assert.equal(await everything(), before);
    assert.equal(waiting, 8);
    assert.equal(findings.length, cases.length);
    for (const [at, [, result, words]] of cases.entries()) {
      const finding = findings.find(({ line }) => line === FIRST_LINE + at);
      assert.equal(finding?.result, result, `line ${FIRST_LINE + at}`);
      assert.match(finding.words, words);
    }
    await answered(sent, [], { group: "RJCT" });
  });

  test("refused as a double by a line without a status gives nothing back", async () => {
    const sent = await send(2);
    const [one, other] = sent.names;
    for (const more of [{ group: "RJCT" }, { partStatus: "RJCT" }]) {
      const before = await everything();
      const { findings } = await answered(
        sent,
        [
          { id: one, reason: "AM05" },
          { id: other, status: "RJCT", reason: "DUPL" },
        ],
        more,
      );
      assert.deepEqual(
        findings.map(({ line, result }) => [line, result]),
        [
          [FIRST_LINE, "refused as a double"],
          [FIRST_LINE + 1, "refused as a double"],
        ],
      );
      assert.equal(await everything(), before);
    }
    await answered(sent, [], { group: "RJCT" });
    await expectAllToAddUp(service);
  });

  test("doubled but of one mind moves its payment once", async () => {
    const sent = await send(1);
    const line = { id: sent.names[0], status: "ACSC" };
    const { findings } = await answered(sent, [line, line]);
    assert.deepEqual(
      findings.map(({ result }) => result),
      ["completed", "told twice"],
    );
    assert.deepEqual(await statuses(sent), ["completed"]);
    await expectAllToAddUp(service);
  });

  test("against what has happened here is a contradiction, and the end stays the end", async () => {
    const sent = await send(3);
    const [paid = "", failed = "", stopped = ""] = sent.ids;
    const [first, second, third] = sent.names;
    await answered(sent, [{ id: first, status: "ACSC" }]);
    const { db } = service.ctx;
    await db.transaction((tx) => moveWithdrawal(tx, failed, { to: "failed", reason: "no" }));
    await db.transaction((tx) => moveWithdrawal(tx, stopped, { to: "held", reason: "no" }));
    const before = await everything();
    const { findings } = await answered(sent, [
      { id: first, status: "RJCT" },
      { id: second, status: "ACSC" },
      { id: third, status: "ACSC" },
    ]);
    assert.equal(await everything(), before);
    assert.deepEqual(
      findings.map(({ result }) => result),
      ["contradiction", "contradiction", "contradiction"],
    );
    assert.match(findings[1]?.words ?? "", /here it is failed: its owner may have the money twice/);
    const confirmed = await answered(sent, [{ id: third, status: "RJCT" }]);
    assert.equal(confirmed.findings[0]?.result, "nothing new");
    assert.equal(await everything(), before);
    assert.equal(await statusOf(service, paid), "completed");
    await db.transaction((tx) => moveWithdrawal(tx, stopped, { to: "failed", reason: "no" }));
  });

  test("about the first of two files says nothing of the second", async () => {
    const sent = await send(1);
    const [id = ""] = sent.ids;
    const { db } = service.ctx;
    await db.transaction((tx) => moveWithdrawal(tx, id, { to: "held", reason: "stopped" }));
    await db.transaction((tx) => moveWithdrawal(tx, id, { to: "pending" }));
    const second = await makeFile(service);
    const before = await everything();
    const late = await answered(sent, [{ id: sent.names[0], status: "ACSC" }]);
    assert.equal(late.findings[0]?.result, "contradiction");
    assert.equal(await everything(), before);
    await answered({ ...sent, to: second.batch.message_id }, [
      { id: sent.names[0], status: "ACSC" },
    ]);
    assert.deepEqual(await statuses(sent), ["completed"]);
    await expectAllToAddUp(service);
  });

  test("about a file that is not ours is refused as a whole", async () => {
    const sent = await send(1);
    const lines = [{ id: sent.names[0], status: "ACSC" }];
    for (const to of ["TT-TTD-20261116-00000000", ""])
      await assert.rejects(answered({ ...sent, to }, lines), {
        message: /which is not ours\. Nothing was changed\.$/,
      });
    assert.deepEqual(await statuses(sent), ["processing"]);
    await expectAllToAddUp(service);
  });
});
