/**
 * Only the listed moves happen: the database refuses every other one by a name that
 * says why (Decision 0026).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { money } from "../../../src/kit/money.ts";
import { post } from "../../../src/modules/ledger/post.ts";
import { paymentApproved } from "../../../src/modules/ledger/recipes.ts";
import {
  NEXT_STATUS_DESC,
  STATUSES,
  type StatusDesc,
  type TransactionRow,
  type TransactionStatus,
} from "../../../src/modules/transactions/transaction.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
});
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

class Undone extends Error {}

const DESCS = Object.keys(NEXT_STATUS_DESC) as StatusDesc[];

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as { constraint?: string }).constraint ?? String(error);
  }
}

const set = (id: string, what: Sql) =>
  refusalOf(service.ctx.db.run(sql`update transactions set ${what} where transaction_id = ${id}`));

const result = (status: TransactionStatus) =>
  status === "incomplete"
    ? sql`status = 'incomplete', message = null, finalised_at = null`
    : sql`status = ${status}, message = 'Done.', finalised_at = created_at`;

/** With the money of a success, which it needs by the end of its tx. */
const become = (id: string, status: TransactionStatus) =>
  refusalOf(
    service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`update transactions set ${result(status)} where transaction_id = ${id}`);
      const row = await tx.one<TransactionRow>(
        sql`select * from transactions where transaction_id = ${id}`,
      );
      if (status === "success") await postPayment(tx, row);
    }),
  );

const postPayment = (tx: Tx, row: TransactionRow, missing = 0n) =>
  post(tx, {
    postingId: `payment_approved ${row.transaction_id}`,
    environment: row.environment,
    occasion: "payment_approved",
    reference: row.transaction_id,
    transfers: paymentApproved({
      accountNumber: row.account_number,
      customerTotal: money(row.currency, row.customer_total_minor - missing),
      fee: money(row.currency, row.fee_minor),
      tax: money(row.currency, row.tax_minor),
      net: money(row.currency, row.net_minor - missing),
    }),
  });

describe("a success", () => {
  test("without its posting is refused at COMMIT", async () => {
    const { transaction_id: id } = await pay(service, newPayment(shop));
    assert.equal(await set(id, result("success")), "a_success_has_its_posting");
  });

  test("with the posting of another amount is refused at COMMIT", async () => {
    const row = await pay(service, newPayment(shop));
    const refusal = refusalOf(
      service.ctx.db.transaction(async (tx) => {
        await tx.run(sql`
          update transactions set ${result("success")}
          where transaction_id = ${row.transaction_id}`);
        await postPayment(tx, row, 1n);
      }),
    );
    assert.equal(await refusal, "a_success_has_its_posting");
  });
});

describe("a status", () => {
  for (const from of STATUSES)
    for (const to of STATUSES) {
      const isLegal = from === "incomplete" || from === to;
      test(`${from} may ${isLegal ? "" : "not "}become ${to}`, async () => {
        const { transaction_id: id } = await pay(service, newPayment(shop));
        assert.equal(await become(id, from), undefined);
        const refusal = await become(id, to);
        assert.equal(refusal, isLegal ? undefined : "a_final_status_stays_final");
        const { status } = await service.ctx.db.one<{ status: string }>(sql`
          select status from transactions where transaction_id = ${id}`);
        assert.equal(status, isLegal ? to : from);
      });
    }
});

describe("a status_desc", () => {
  test("moves along the table in the code, and the database has the same table", async () => {
    for (const from of DESCS)
      for (const to of DESCS) {
        const { may } = await service.ctx.db.one<{ may: boolean }>(sql`
          select transaction_may_move(${from}, ${to}) as may`);
        const listed: readonly string[] = NEXT_STATUS_DESC[from];
        assert.equal(may, listed.includes(to), `${from} → ${to}`);
      }
  });

  test("on any walk is refused exactly when the move is not listed, and then stays", async () => {
    const walks = fc.array(fc.constantFrom(...DESCS), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
        // Taken back at the end, because words of a dispute need a dispute by COMMIT.
        await assert.rejects(
          service.ctx.db.transaction(async (tx) => {
            await walkInside(tx, id, walk);
            throw new Undone();
          }),
          Undone,
        );
      }),
      { numRuns: fuzzRuns({ usual: 20, proof: 60 }) },
    );
  });

  async function walkInside(tx: Tx, id: string, walk: readonly StatusDesc[]): Promise<void> {
    let at: StatusDesc = "Normal";
    for (const to of walk) {
      const listed: readonly string[] = NEXT_STATUS_DESC[at];
      const isLegal: boolean = to === at || listed.includes(to);
      await tx.run(sql`savepoint step`);
      const refusal = await refusalOf(
        tx.run(sql`update transactions set status_desc = ${to} where transaction_id = ${id}`),
      );
      if (refusal !== undefined) await tx.run(sql`rollback to savepoint step`);
      assert.equal(refusal, isLegal ? undefined : "status_desc_moves_along_its_table");
      if (isLegal) at = to;
    }
    const { status_desc } = await tx.one<{ status_desc: string }>(sql`
      select status_desc from transactions where transaction_id = ${id}`);
    assert.equal(status_desc, at);
  }
});

describe("of a transaction that succeeded", () => {
  const REFUSED: readonly [what: Sql, rule: string][] = [
    [sql`message = 'Other.'`, "a_result_is_told_once"],
    [sql`card_last_four = '2222'`, "a_result_is_told_once"],
    [sql`finalised_at = app_now() + interval '1 day'`, "a_result_is_told_once"],
    [sql`total_minor = 1`, "what_was_agreed_is_never_changed"],
    [sql`net_minor = net_minor + 1, fee_minor = fee_minor - 1`, "what_was_agreed_is_never_changed"],
    [sql`data = 'other'`, "what_was_agreed_is_never_changed"],
    [sql`customer = '{"fname": "Other"}'`, "what_was_agreed_is_never_changed"],
    // All words at once may go (Decision 0122); not some of them.
    [sql`customer = '{}', data = 'other'`, "what_was_agreed_is_never_changed"],
    [sql`order_id = 'other'`, "what_was_agreed_is_never_changed"],
    [sql`account_number = '1000000000'`, "what_was_agreed_is_never_changed"],
    [sql`environment = 'sandbox'`, "what_was_agreed_is_never_changed"],
    [sql`created_at = app_now() + interval '1 day'`, "what_was_agreed_is_never_changed"],
    [sql`refunded_minor = 1`, "sums_move_only_with_refunds_and_disputes"],
    [sql`status_desc = 'Lost'`, "status_desc_moves_along_its_table"],
  ];
  for (const [what, rule] of REFUSED)
    test(`"${what.text}" is refused: ${rule.replaceAll("_", " ")}`, async () => {
      const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await set(id, what), rule);
    });

  test("nothing is removed", async () => {
    await pay(service, newPayment(shop), APPROVED);
    for (const statement of [sql`delete from transactions`, sql`truncate transactions cascade`])
      assert.equal(
        await refusalOf(service.ctx.db.run(statement)),
        "transactions_are_never_removed",
      );
  });
});

describe("of a transaction under way", () => {
  const REFUSED: readonly [what: Sql, rule: string][] = [
    [sql`status = 'failed', message = 'No.'`, "finalised_at_is_set_exactly_when_final"],
    [sql`status = 'failed', finalised_at = app_now()`, "message_is_set_exactly_when_final"],
    [sql`message = 'Early.'`, "message_is_set_exactly_when_final"],
    [sql`status = 'paid', message = 'Yes.', finalised_at = app_now()`, "status_is_known"],
    [sql`status_desc = 'Refund Requested'`, "only_what_was_paid_has_a_history"],
    [sql`refunded_minor = 1`, "sums_move_only_with_refunds_and_disputes"],
    [sql`card_brand = 'visa'`, "card_is_named_and_shown_by_four_digits"],
    [
      sql`card_brand = 'visa', card_last_four = '4111111111111111'`,
      "card_is_named_and_shown_by_four_digits",
    ],
  ];
  for (const [what, rule] of REFUSED)
    test(`"${what.text}" is refused: ${rule.replaceAll("_", " ")}`, async () => {
      const { transaction_id: id } = await pay(service, newPayment(shop));
      assert.equal(await set(id, what), rule);
    });
});

describe("a new row", () => {
  const GOOD = {
    transaction_id: `TT-${"0".repeat(26)}`,
    environment: "live",
    country_code: "TT",
    currency: "TTD",
    order_id: "direct",
    total_minor: 10000,
    customer_total_minor: 10260,
    fee_minor: 520,
    tax_minor: 0,
    net_minor: 9740,
    fee_structure: "split",
    method: "credit_card_co",
    status: "incomplete",
  };
  const insert = (changes: object) => {
    const { accountNumber } = shop;
    const row = { ...GOOD, account_number: accountNumber, ...changes };
    const columns = raw(Object.keys(row).join(", "));
    return refusalOf(
      service.ctx.db.run(sql`
        insert into transactions (${columns})
        select ${columns} from jsonb_populate_record(null::transactions, ${JSON.stringify(row)})`),
    );
  };
  const REFUSED: readonly [changes: object, rule: string][] = [
    [{ status: "success" }, "a_transaction_begins_incomplete"],
    [
      { transaction_id: `SB-TT-${"0".repeat(26)}` },
      "transaction_id_names_its_environment_and_platform",
    ],
    [{ transaction_id: "TT-1" }, "transaction_id_names_its_environment_and_platform"],
    [{ total_minor: 0, net_minor: 0, customer_total_minor: 520 }, "total_is_positive"],
    [
      { customer_total_minor: 9999, net_minor: 9479 },
      "the_customer_pays_the_total_and_a_share_of_the_fee",
    ],
    [
      { net_minor: 10001, customer_total_minor: 10521 },
      "the_merchant_gets_the_total_less_a_share_of_the_fee",
    ],
    [{ fee_minor: 519 }, "both_shares_are_the_fee"],
    [{ tax_minor: 521 }, "tax_is_part_of_the_fee"],
    [{ fee_structure: "customer_pay" }, "who_pays_the_fee_follows_its_structure"],
    [{ fee_structure: "merchant_absorb" }, "who_pays_the_fee_follows_its_structure"],
    [{ customer_total_minor: 10262, net_minor: 9742 }, "who_pays_the_fee_follows_its_structure"],
    [{ currency: "EUR" }, "currency_is_known"],
    [{ order_id: "" }, "order_id_has_1_to_64_characters"],
  ];
  for (const [changes, rule] of REFUSED)
    test(`with ${JSON.stringify(changes)} is refused: ${rule.replaceAll("_", " ")}`, async () => {
      assert.equal(await insert(changes), rule);
    });

  test("that keeps every rule is taken", async () => {
    assert.equal(await insert({}), undefined);
  });

  test("with 4,096 characters of data is taken, emoji or not, and with one more refused", async () => {
    const who = await openShop(service);
    await pay(service, newPayment(who, { details: { data: "👍".repeat(4096) } }));
    const long = pay(service, newPayment(who, { details: { data: "x".repeat(4097) } }));
    assert.equal(await refusalOf(long), "data_has_at_most_4096_characters");
  });
});
