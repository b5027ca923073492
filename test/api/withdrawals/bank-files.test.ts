/**
 * The guarantee: a bank file has what waits in one platform and currency, each withdrawal once and
 * in one file only; it adds up, is kept sealed, and can be made again byte for byte.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { addDays, dayAt } from "../../../src/kit/local-day.ts";
import { bankDayFrom } from "../../../src/modules/withdrawals/bank-files/bank-day.ts";
import {
  findBatch,
  openFile,
  viewBatch,
} from "../../../src/modules/withdrawals/bank-files/payout-batch.ts";
import { moveWithdrawal } from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { mistakesIn } from "../../../testkit/check-credit-transfer.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  SUB_BANKED,
  SUB_UNBANKED,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";
import { endToEndIdOf, liveOwner, makeFile, waitingOnes } from "./bank-files-support.ts";

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await liveOwner(service);
});
after(() => service.stop());

const ofType = (fields: object) => ({ ...fields, environment: "live" });

describe("a bank file", () => {
  test("has every kind of payee, adds up, and its withdrawals are processing", async () => {
    const asked = [
      { amount: "100.00" },
      ofType({ ...SUB_BANKED, amount: "50.25", name_in_bank: "Zoë Núñez" }),
      ofType({ ...SUB_UNBANKED, amount: "7.50" }),
    ];
    const ids = await waitingOnes(service, owner, asked);
    const { batch, file, left } = await makeFile(service);
    const text = file.toString();
    assert.deepEqual(mistakesIn(text), []);
    assert.deepEqual([batch.payment_count, viewBatch(batch).total, left], [3, "157.75", 0]);
    for (const id of ids) {
      assert.ok(text.includes(`<InstrId>${id}</InstrId>`));
      assert.ok(text.includes(`<EndToEndId>${await endToEndIdOf(service, id)}</EndToEndId>`));
      assert.equal(await statusOf(service, id), "processing");
      assert.deepEqual(await eventsOf(service, id), ["pending", "processing"]);
    }
    assert.match(
      text,
      /<PmtMtd>TRF<[\s\S]*<Id>0012345678<[\s\S]*<Nm>Zoe Nunez<[\s\S]*<PmtMtd>CHK</,
    );
    assert.match(text, /<Id>TB123456<\/Id>/);
    await expectAllToAddUp(service);
  });

  test("of dollars names the bank abroad, of Jamaica the branch and the kind of account", async () => {
    const [id = ""] = await waitingOnes(service, owner, [{ currency: "USD", amount: "20.00" }]);
    const dollars = (await makeFile(service, { currency: "USD" })).file.toString();
    assert.deepEqual(mistakesIn(dollars), []);
    assert.ok(dollars.includes(id) && /<CdtrAgt>\s*<FinInstnId>\s*<BICFI>/.test(dollars));
    const jamaican = await liveOwner(service, { countryCode: "JM", live: "90000.00 JMD" });
    await waitingOnes(service, jamaican, [{ currency: "JMD", amount: "500.00" }]);
    const wanted = { countryCode: "JM", currency: "JMD" } as const;
    const jm = (await makeFile(service, wanted)).file.toString();
    assert.deepEqual(mistakesIn(jm), []);
    assert.match(jm, /<BrnchId>\s*<Nm>[\s\S]*<Tp>\s*<Cd>(?:CACC|SVGS)</);
  });

  test("takes the oldest that fit, tells how many more wait, and the next one has those", async () => {
    const ids = await waitingOnes(
      service,
      owner,
      [1, 2, 3].map(() => ({ amount: "10.00" })),
    );
    const first = await makeFile(service, {}, 2);
    assert.deepEqual([first.batch.payment_count, first.left], [2, 1]);
    const statuses = await Promise.all(ids.map((id) => statusOf(service, id)));
    assert.deepEqual(statuses, ["processing", "processing", "pending"]);
    const second = await makeFile(service, {}, 2);
    assert.deepEqual([second.batch.payment_count, second.left], [1, 0]);
    assert.ok(second.file.includes(ids[2] ?? "none"));
    await expectAllToAddUp(service);
  });

  test("leaves out what is not its business: fresh, held, frozen, sandbox, another currency", async () => {
    const [held = "", dollars = "", due = ""] = await waitingOnes(service, owner, [
      { amount: "10.00" },
      { amount: "10.00", currency: "USD" },
      { amount: "11.00" },
    ]);
    await service.ctx.db.transaction((tx) =>
      moveWithdrawal(tx, held, { to: "held", reason: "checked" }),
    );
    const cold = await liveOwner(service, { funds: "1000.00 TTD" });
    const sandbox = await withdraw(service, cold, { amount: "14.00" });
    const [frozen = ""] = await waitingOnes(service, cold, [{ amount: "12.00" }]);
    await service.ctx.db.run(sql`
      update accounts set status = 'frozen' where account_number = ${cold.accountNumber}`);
    const fresh = await withdraw(service, owner, { environment: "live", amount: "13.00" });
    const { batch, file } = await makeFile(service);
    assert.deepEqual([batch.payment_count, viewBatch(batch).total], [1, "11.00"]);
    assert.ok(file.includes(due));
    const others = await Promise.all(
      [held, dollars, frozen, fresh, sandbox].map((id) => statusOf(service, id)),
    );
    assert.deepEqual(others, ["held", "pending", "pending", "pending", "pending"]);
    await expectAllToAddUp(service);
  });

  test("is refused, and nothing moves, when there is nothing to pay or no account to pay from", async () => {
    await assert.rejects(makeFile(service, { countryCode: "GY", currency: "GYD" }), {
      message: /^No withdrawal in GYD of GY waits to be paid\./,
    });
    const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const { ctx } = service;
    const without = { ctx: { ...ctx, config: { ...ctx.config, payoutAccounts: [] } } };
    await assert.rejects(makeFile(without), { message: /PAYOUT_ACCOUNTS/ });
    assert.equal(await statusOf(service, id), "pending");
    await makeFile(service);
  });

  test("is to be paid today there or on Monday, or on the bank day that is asked for", async () => {
    await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    const today = dayAt(now, "America/Port_of_Spain");
    const monday = [1, 2, 3, 4, 5, 6, 7]
      .map((count) => addDays(today, count))
      .find((day) => new Date(day).getUTCDay() === 1);
    for (const bankDay of [addDays(today, -1), addDays(today, 31)])
      await assert.rejects(makeFile(service, { bankDay }), { message: /must be from/ });
    await assert.rejects(makeFile(service, { bankDay: addDays(monday ?? "", 5) }), {
      message: /is on a weekend; the next is/,
    });
    const later = await makeFile(service, { bankDay: monday });
    assert.equal(later.batch.bank_day, monday);
    assert.ok(later.file.includes(`<Dt>${monday}</Dt>`));
    await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const next = await makeFile(service);
    assert.equal(next.batch.bank_day, bankDayFrom(today));
    assert.ok(
      next.batch.message_id.startsWith(`TT-TTD-${bankDayFrom(today).replaceAll("-", "")}-`),
    );
  });

  test("can be made again byte for byte, and is sealed where it is kept", async () => {
    await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const { batch, file } = await makeFile(service);
    const { db, config } = service.ctx;
    // Other accounts and other names change nothing any more.
    const changed = { ...config, payoutAccounts: [] };
    const found = await findBatch(db, batch.message_id);
    assert.ok((await openFile(db, changed, found)).equals(file));
    const { kept } = await db.one<{ kept: string }>(sql`
      select encode(file_sealed, 'escape') as kept from payout_batches
      where batch_id = ${batch.batch_id}`);
    assert.doesNotMatch(kept, /CdtTrfTxInf|0012345678/);
    const other = { ...found, batch_id: (await findAnother(batch.batch_id)) ?? "" };
    await assert.rejects(openFile(db, config, other), /is not what was made/);
  });

  test("names what cannot be opened when a wrapping key was taken away too early", async () => {
    const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const { ctx } = service;
    const wrappingKeys = { ...ctx.config.wrappingKeys, byId: () => undefined };
    const without = { ...ctx, config: { ...ctx.config, wrappingKeys } };
    const back = /, which is not configured\. Put it back into the setting WRAPPING_KEYS\.$/;
    await assert.rejects(makeFile({ ctx: without }), (error: Error) => {
      assert(error.message.startsWith(`The numbers of ${id} are sealed with the wrapping key `));
      assert.match(error.message, back);
      return true;
    });
    assert.equal(await statusOf(service, id), "pending");
    const { batch } = await makeFile(service);
    await assert.rejects(openFile(ctx.db, without.config, batch), (error: Error) => {
      assert(error.message.startsWith(`The bytes of ${batch.message_id} are sealed with `));
      assert.match(error.message, back);
      return true;
    });
  });

  async function findAnother(batchId: string): Promise<string | undefined> {
    const row = await service.ctx.db.maybeOne<{ batch_id: string }>(sql`
      select batch_id from payout_batches where batch_id <> ${batchId} limit 1`);
    return row?.batch_id;
  }

  test("and its payouts are never changed, and no withdrawal gets a second one", async () => {
    const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
    const { batch } = await makeFile(service);
    const { db } = service.ctx;
    const appendOnly = { message: "payout_batches is append-only" };
    const forbidden: [Sql, object][] = [
      [
        sql`update payout_batches set total_minor = 1 where batch_id = ${batch.batch_id}`,
        appendOnly,
      ],
      [sql`delete from payout_batches where batch_id = ${batch.batch_id}`, appendOnly],
      [
        sql`update payouts set batch_id = null, next_ask_at = app_now()
          where transaction_id = ${id}`,
        { constraint: "which_payout_it_is_and_that_it_was_stopped_never_changes" },
      ],
      [
        sql`insert into payouts (transaction_id, number, batch_id)
          values (${id}, 2, ${batch.batch_id})`,
        { constraint: "a_withdrawal_has_one_payout_under_way" },
      ],
    ];
    for (const [statement, refusal] of forbidden) await assert.rejects(db.run(statement), refusal);
  });
});

test("released after the bank had stopped it, a withdrawal is in the next file, and only once", async () => {
  const before = await fundsOf(service, owner, "TTD", "live");
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "10.00" }]);
  await makeFile(service);
  const move = (to: "held" | "pending") =>
    service.ctx.db.transaction((tx) =>
      moveWithdrawal(tx, id, to === "held" ? { to, reason: "stopped" } : { to }),
    );
  await move("held");
  await assert.rejects(makeFile(service), { message: /^No withdrawal in TTD/ });
  await move("pending");
  const again = await makeFile(service);
  assert.ok(again.file.includes(id) && again.batch.payment_count === 1);
  await move("held");
  await service.ctx.db.transaction((tx) => moveWithdrawal(tx, id, { to: "failed", reason: "no" }));
  assert.equal(await fundsOf(service, owner, "TTD", "live"), before);
  await expectAllToAddUp(service);
});
