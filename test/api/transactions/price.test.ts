/**
 * The price of a payment is its quote, to the cent, in every currency and fee structure; it
 * is fixed when the payment is asked for, and terms that come later do not change it (Decision
 * 0025).
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { CURRENCIES, type Currency, money } from "../../../src/kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../../../src/kit/vocabulary.ts";
import { balancesOf } from "../../../src/modules/ledger/balances.ts";
import { FEE_STRUCTURES, quoteFee } from "../../../src/modules/platforms/fee-quote.ts";
import { paymentLimitsOf } from "../../../src/modules/platforms/limits.ts";
import { platformOf } from "../../../src/modules/platforms/platform.ts";
import type { NewTransaction } from "../../../src/modules/transactions/new-transaction.ts";
import {
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from "../../../src/modules/transactions/transaction.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { recordTransactions } from "../../../testkit/record-transaction.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  finaliseTransaction,
  newPayment,
  openShop,
  pay,
} from "../../../testkit/transactions.ts";

const AMOUNTS = 40;

let service: TestService;
before(async () => {
  service = await startService();
});
after(async () => {
  try {
    await expectBooksToBalance(service.ctx.db);
  } finally {
    await service.stop();
  }
});

const platformOfCurrency = (currency: Currency): CountryCode =>
  COUNTRY_CODES.find((code) => platformOf(code).localCurrency === currency) ?? "TT";

function randomPayments(shop: { accountNumber: string }): NewTransaction[] {
  return CURRENCIES.flatMap((currency) => {
    const { minimum, maximum } = paymentLimitsOf(currency);
    const drawn = () =>
      minimum.minor + BigInt(randomInt(Number(maximum.minor - minimum.minor + 1n)));
    return FEE_STRUCTURES.flatMap((feeStructure) =>
      Array.from({ length: AMOUNTS }, () => ({
        ...newPayment(shop),
        countryCode: platformOfCurrency(currency),
        total: money(currency, drawn()),
        feeStructure,
      })),
    );
  });
}

/** What was promised, in the words of the record. */
function promised({ countryCode, total, feeStructure }: NewTransaction, at: Date) {
  const platform = platformOf(countryCode);
  const quote = quoteFee({ platform, currency: total.currency, amount: total, feeStructure, at });
  return {
    currency: total.currency,
    total_minor: total.minor,
    customer_total_minor: quote.customer.total.minor,
    fee_minor: quote.total.minor,
    tax_minor: quote.tax.minor,
    net_minor: quote.merchant.net.minor,
  };
}

test(`${AMOUNTS} amounts of each currency and fee structure: recorded as quoted, every fifth paid so`, async () => {
  const shop = await openShop(service);
  const asked = randomPayments(shop);
  assert.equal(asked.length, 18 * AMOUNTS);
  await service.ctx.db.transaction((tx) => recordTransactions(tx, asked));
  const rows = await service.ctx.db.rows<TransactionRow>(sql`
    select ${TRANSACTION_COLUMNS} from transactions where account_number = ${shop.accountNumber}`);
  const byOrder = new Map(rows.map((row) => [row.order_id, row]));
  const nets = new Map<Currency, bigint>();
  const paid: string[] = [];
  for (const [at, payment] of asked.entries()) {
    const row = byOrder.get(payment.orderId);
    assert(row !== undefined, payment.orderId);
    const expected = promised(payment, row.created_at);
    const of = (key: string) => [key, row[key as keyof TransactionRow]];
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map(of)), expected);
    if (at % 5 > 0) continue;
    paid.push(row.transaction_id);
    nets.set(row.currency, (nets.get(row.currency) ?? 0n) + expected.net_minor);
  }
  await service.ctx.db.transaction(async (tx) => {
    for (const id of paid) await finaliseTransaction(tx, id, APPROVED);
  });
  const balances = await balancesOf(service.ctx.db, shop.accountNumber, "live");
  for (const currency of CURRENCIES)
    assert.equal(balances.get(currency)?.available.minor, nets.get(currency), currency);
});

test("a payment asked for under other terms is paid by them, and the next one by today's", async () => {
  const shop = await openShop(service);
  const { token } = shop;
  const today = await pay(service, newPayment(shop));
  // As it would stand there had the terms been 2 % and 1.00, with 15 % of tax, when it was asked.
  const id = today.transaction_id.replace(/.{6}$/, "000000");
  await service.ctx.db.run(sql`
    insert into transactions (transaction_id, account_number, environment, country_code, currency,
      order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor, fee_structure,
      method, created_at)
    select ${id}, account_number, environment, country_code, currency, 'under other terms', 10000,
      10330, 330, 30, 10000, fee_structure, method, created_at
    from transactions where transaction_id = ${today.transaction_id}`);
  for (const one of [id, today.transaction_id])
    await service.ctx.db.transaction((tx) => finaliseTransaction(tx, one, APPROVED));
  const parts = async (transactionId: string) => {
    const legs = await service.ctx.db.rows<{ kind: string; amount_minor: bigint }>(sql`
      select kind, amount_minor from ledger_transfers
      join ledger_accounts on ledger_account_id = credit_account_id
      where posting_id = ${`payment_approved ${transactionId}`} order by leg`);
    return legs.map(({ kind, amount_minor }) => `${kind} ${amount_minor}`);
  };
  assert.deepEqual(await parts(id), ["available 10000", "fee_income 300", "tax 30"]);
  assert.deepEqual(await parts(today.transaction_id), ["available 10000", "fee_income 520"]);
  const shown = (await service.request(`/transactions/${id}`, { token })).body.data;
  assert.deepEqual([shown.customer_total, shown.fee, shown.net], ["103.30", "3.30", "100.00"]);
  const refund = await service.request(`/transactions/${id}/refund`, {
    method: "POST",
    token,
    json: {},
  });
  assert.equal(refund.body.data.refund.amount, "103.30");
});

test("terms are those of the moment of the request: before the first there is no price", async () => {
  const shop = await openShop(service);
  const hours = (Date.now() - Date.parse("2022-12-18T00:00:00Z")) / 3_600_000;
  const open = await pay(service, newPayment(shop));
  await service.clock.advance({ hours: -hours });
  try {
    await assert.rejects(pay(service, newPayment(shop)), /nothing is valid yet at 2022-12-18/);
    const done = await service.ctx.db.transaction((tx) =>
      finaliseTransaction(tx, open.transaction_id, APPROVED),
    );
    assert.equal(done.transaction.fee_minor, open.fee_minor);
  } finally {
    await service.clock.advance({ hours });
  }
});
