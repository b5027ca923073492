/**
 * The guarantee: an operator sees everything about a payment, and what is done about its money is
 * signed, happens once and leaves the books balanced.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import {
  expectRefusal,
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
});
after(() => service.stop());

const paid = async () => (await pay(service, newPayment(shop), APPROVED)).transaction_id;

async function askForRefund(transactionId: string, amount: string): Promise<string> {
  const answer = await service.request(`/transactions/${transactionId}/refund`, {
    method: "POST",
    token: shop.token,
    json: { amount },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.refund.refund_id;
}

async function balances(): Promise<unknown> {
  return (await operatorJson(service, ["show-account", shop.accountNumber])).balances;
}

describe("a chargeback", () => {
  test("is opened and released, and then all is as before", async () => {
    const id = await paid();
    const before = await balances();
    const opened = await operatorJson(service, [
      "open-chargeback",
      id,
      "--amount",
      "40",
      ...SIGNED,
    ]);
    const { action, state, amount, covered, currency, transaction_id } = opened;
    assert.deepEqual(
      { action, state, amount, covered, currency, transaction_id },
      {
        action: "chargeback_opened",
        state: "open",
        amount: "40.00",
        covered: "40.00",
        currency: "TTD",
        transaction_id: id,
      },
    );
    assert.notDeepEqual(await balances(), before);
    const settled = await operatorJson(service, ["settle-chargeback", id, "--released", ...SIGNED]);
    assert.equal(settled.state, "released");
    assert.deepEqual(await balances(), before);
    const [opening, releasing] = (await operatorEntries(service)).slice(-2);
    assert.deepEqual(
      [opening, releasing].map((one) => [one?.action, one?.actor, one?.detail.why]),
      [
        ["chargeback_opened", "operator D. Joseph", "ticket 4711"],
        ["chargeback_released", "operator D. Joseph", "ticket 4711"],
      ],
    );
    await expectBooksToBalance(service.ctx.db);
  });

  test("is processed, and neither opened again nor settled again", async () => {
    const id = await paid();
    await operatorJson(service, ["open-chargeback", id, ...SIGNED]);
    await operatorJson(service, ["settle-chargeback", id, "--processed", ...SIGNED]);
    await expectRefusal(
      service,
      ["settle-chargeback", id, "--processed", ...SIGNED],
      "The transaction has no chargeback that is open.",
    );
    await expectRefusal(
      service,
      ["open-chargeback", id, ...SIGNED],
      "A chargeback cannot be opened: the transaction is Chargeback Processed.",
    );
    await expectBooksToBalance(service.ctx.db);
  });

  test("is refused for more than was paid, for nothing, and for what was not paid", async () => {
    const id = await paid();
    const declined = (await pay(service, newPayment(shop), DECLINED)).transaction_id;
    const cases: [string[], string][] = [
      [
        [id, "--amount", "105.21"],
        "The amount is more than is neither refunded nor disputed: 105.20 TTD.",
      ],
      [[id, "--amount", "0"], "The --amount must be greater than 0."],
      [[id, "--amount", "1.005"], "The --amount must be a number with at most 2 decimal places."],
      [[declined], "The transaction was not paid: it is failed."],
    ];
    await expectRefusals(
      service,
      cases.map(([args, sentence]) => [["open-chargeback", ...args, ...SIGNED], sentence]),
    );
  });
});

test("confirm-fraud takes back what is left, once", async () => {
  const id = await paid();
  const args = ["confirm-fraud", id, ...SIGNED];
  const done = await operatorJson(service, args);
  assert.deepEqual([done.action, done.amount], ["fraud_confirmed", "105.20"]);
  const entry = (await operatorEntries(service)).at(-1);
  assert.deepEqual([entry?.action, entry?.account_number], ["fraud_confirmed", shop.accountNumber]);
  await expectRefusal(
    service,
    args,
    "Fraud cannot be confirmed: the transaction is Fraud Confirmed.",
  );
  await expectBooksToBalance(service.ctx.db);
});

test("reject-refund gives the held money back, once, and refuses a refund that is not there", async () => {
  const id = await paid();
  const before = await balances();
  const refundId = await askForRefund(id, "25.00");
  const args = ["reject-refund", refundId, ...SIGNED];
  const done = await operatorJson(service, args);
  const { action, refund_id, transaction_id, status } = done;
  assert.deepEqual(
    { action, refund_id, transaction_id, status },
    { action: "refund_rejected", refund_id: refundId, transaction_id: id, status: "rejected" },
  );
  assert.deepEqual(await balances(), before);
  assert.equal((await operatorEntries(service)).at(-1)?.detail.why, "ticket 4711");
  await expectRefusal(service, args, "The refund cannot be rejected: it is rejected.");
  const nobodys = "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d";
  const unknown = `There is no refund ${nobodys}.`;
  await expectRefusal(service, ["reject-refund", nobodys, ...SIGNED], unknown);
  await expectBooksToBalance(service.ctx.db);
});

describe("a payment that is not there", () => {
  const NOBODYS = "TT-01ARZ3NDEKTSV4RRFFQ69G5FAV";
  for (const [name = "", ...how] of [
    ["show-payment"],
    ["open-chargeback", ...SIGNED],
    ["settle-chargeback", "--processed", ...SIGNED],
    ["confirm-fraud", ...SIGNED],
  ])
    test(`is told by ${name}, as is an id that cannot be one`, async () => {
      const shape = "The transaction id must look like TT-01ARZ3NDEKTSV4RRFFQ69G5FAV.";
      await expectRefusals(service, [
        [[name, NOBODYS, ...how], `There is no payment ${NOBODYS}.`],
        [[name, "TT-1", ...how], shape],
      ]);
    });
});

test("show-payment tells record, refunds, disputes, ledger and audit of one payment only", async () => {
  const id = await paid();
  const refundId = await askForRefund(id, "10.00");
  await operatorJson(service, ["open-chargeback", id, "--amount", "5.00", ...SIGNED]);
  const shown = await operatorJson(service, ["show-payment", id]);
  assert.deepEqual(
    [shown.transaction_id, shown.account_number, shown.status, shown.status_desc],
    [id, shop.accountNumber, "success", "Chargeback Pending"],
  );
  assert.deepEqual(
    shown.refunds.map((one: Record<string, unknown>) => [one.refund_id, one.amount, one.state]),
    [[refundId, "10.00", "requested"]],
  );
  assert.deepEqual(
    shown.disputes.map((one: Record<string, unknown>) => [one.kind, one.amount, one.state]),
    [["chargeback", "5.00", "open"]],
  );
  assert.deepEqual(
    shown.ledger.map((one: Record<string, unknown>) => [one.occasion, one.amount, one.credit]),
    [
      ["payment_approved", "100.00", `live TTD available ${shop.accountNumber}`],
      ["payment_approved", "5.20", `live TTD fee_income ${shop.accountNumber.slice(-1)}`],
      ["refund_requested", "10.00", `live TTD held ${shop.accountNumber}`],
      ["chargeback_opened", "5.00", `live TTD held ${shop.accountNumber}`],
    ],
  );
  assert.deepEqual(
    shown.audit.map((one: Record<string, unknown>) => one.action),
    ["chargeback_opened", "refund_requested"],
  );
});

test("what a stranger typed reaches the terminal as text, never as a command to it", async () => {
  const orderId = "\u001b[2J\u202egift\u009b1m";
  const { transaction_id: id } = await pay(service, newPayment(shop, { orderId }), APPROVED);
  const { stdout } = await operator(service, ["show-payment", id]);
  assert.match(stdout, /Order +\\u001b\[2J\\u202egift\\u009b1m\n/);
  const json = await operator(service, ["show-payment", id, "--json"]);
  for (const sign of ["\u001b", "\u202e", "\u009b"]) assert.ok(!json.stdout.includes(sign));
  assert.equal(JSON.parse(json.stdout).order_id, orderId);
});

describe("reconcile", () => {
  test("says that the books balance, with exit code 0", async () => {
    const report = await operatorJson(service, ["reconcile"]);
    assert.equal(report.difference_count, 0);
    assert.ok(report.account_count > 0 && report.entry_count > 0 && report.payment_count > 0);
    assert.deepEqual(report.differences, []);
  });

  test("names the account whose balance was tampered with, with exit code 1", async () => {
    const own = await startService();
    const other = await openShop(own);
    await pay(own, newPayment(other), APPROVED);
    await own.ctx.db.transaction(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`
        update ledger_balances set balance_minor = balance_minor + 1
        where ledger_account_id = (
          select ledger_account_id from ledger_accounts where kind = 'available')`);
    });
    const said = await operator(own, ["reconcile"]);
    const json = await operator(own, ["reconcile", "--json"]);
    await own.stop();
    assert.equal(said.code, 1);
    assert.match(said.stdout, /^The books differ in 2 places: /);
    const name = `live TTD available ${other.accountNumber}`;
    assert.ok(said.stdout.includes(`${name}: 100.00 expected, 100.01 found`), said.stdout);
    const { differences } = JSON.parse(json.stdout);
    assert.equal(json.code, 1);
    assert.deepEqual(differences.at(-1), {
      where: name,
      what: null,
      words: `${name}: 100.00 expected, 100.01 found`,
      currency: "TTD",
      expected: "100.00",
      found: "100.01",
      broken_link: null,
    });
  });
});
