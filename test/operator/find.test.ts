/**
 * The guarantee: an operator finds accounts and payments by what people can name, newest first and
 * by indexes, and a search that would read everything is refused in words (Decision 0073).
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { type Sql, sql } from "../../src/infra/db/query.ts";
import type { OperatorContext } from "../../src/modules/operator/command.ts";
import { findByCard } from "../../src/modules/operator/payments/find-by-card.ts";
import { findByEmail } from "../../src/modules/operator/payments/find-by-email.ts";
import { findByOrder } from "../../src/modules/operator/payments/find-by-order.ts";
import { findPayments } from "../../src/modules/operator/payments/find-payments.ts";
import { makeMerchants } from "../../testkit/books.ts";
import { CARDS, expectAllToAddUp, openOrder, submit } from "../../testkit/checkout-sessions.ts";
import { expectRefusals, operator, operatorJson, operatorProcess } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { APPROVED, DECLINED, fillHistory, newPayment, pay } from "../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const payments = async (...args: string[]): Promise<Record<string, unknown>[]> =>
  (await operatorJson(service, ["find-payments", ...args])).payments;
const idsOf = (found: readonly Record<string, unknown>[]) =>
  found.map(({ transaction_id }) => transaction_id);
const list = (...args: string[]) => operatorJson(service, ["list-accounts", ...args]);
const numbersOf = ({ accounts }: { accounts: { account_number: string }[] }) =>
  accounts.map(({ account_number }) => account_number);

describe("an account", () => {
  test("is found by its e-mail in any case, and not by a part of it", async () => {
    const who = await service.world.merchant();
    const shown = await operatorJson(service, ["show-account", who.email.toUpperCase()]);
    assert.equal(shown.account_number, who.accountNumber);
    const part = who.email.slice(1);
    await expectRefusals(service, [[["show-account", part], `There is no account ${part}.`]]);
  });

  test("is listed newest first, page by page, with a line that says how to go on", async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) {
      await service.clock.advance({ seconds: 1 });
      made.unshift((await service.world.merchant()).accountNumber);
    }
    const [newest = "", second = "", third] = made;
    const first = await list("--limit", "2");
    assert.deepEqual([numbersOf(first), first.is_complete], [[newest, second], false]);
    const next = await list("--limit", "1", "--after", second);
    assert.deepEqual(numbersOf(next), [third]);
    const { stdout } = await operator(service, ["list-accounts", "--limit", "2"]);
    assert.match(stdout, new RegExp(`and more: add --after ${second}\n$`));
  });

  test("is listed by platform, state, type, verification, main merchant and maker", async () => {
    const shop = await service.world.mainMerchant({ countryCode: "GD" });
    const person = await service.world.person({ countryCode: "GD" });
    const frozen = await service.world.merchant({ countryCode: "GD" });
    await service.ctx.db.run(sql`
      update accounts set status = 'frozen', verified_at = null, made_by = ${shop.accountNumber}
      where account_number = ${frozen.accountNumber}`);
    const CASES: [string[], { accountNumber: string }[]][] = [
      [[], [frozen, person, shop]],
      [["--state", "frozen"], [frozen]],
      [["--state", "closed"], []],
      [["--type", "PERSONAL"], [person]],
      [["--verified", "no"], [frozen]],
      [
        ["--verified", "yes"],
        [person, shop],
      ],
      [["--main-merchant", "yes"], [shop]],
      [["--main-merchant", "no", "--type", "BUSINESS"], [frozen]],
      [["--made-by", shop.accountNumber], [frozen]],
    ];
    for (const [args, expected] of CASES)
      assert.deepEqual(
        new Set(numbersOf(await list("--country", "GD", ...args))),
        new Set(expected.map(({ accountNumber }) => accountNumber)),
        args.join(" "),
      );
  });

  test("is never shown with its password's digest", async () => {
    assert.doesNotMatch(JSON.stringify(await list()), /digest|argon2|pepper/);
  });
});

describe("payments", () => {
  test("are found by order, of one account or of all, in either environment", async () => {
    const [one, other] = [await service.world.merchant(), await service.world.merchant()];
    const orderId = "basket-4711";
    const live = { orderId, environment: "live" as const };
    const failed = await pay(service, newPayment(one, live), DECLINED);
    await service.clock.advance({ seconds: 1 });
    const paid = await pay(service, newPayment(one, live), APPROVED);
    await service.clock.advance({ seconds: 1 });
    const tried = await pay(service, newPayment(other, { orderId, environment: "sandbox" }));
    const ids = [tried, paid, failed].map(({ transaction_id }) => transaction_id);
    assert.deepEqual(idsOf(await payments("--order", orderId)), ids);
    const ofOne = await payments("--order", orderId, "--account", one.accountNumber);
    assert.deepEqual(idsOf(ofOne), ids.slice(1));
    assert.deepEqual(ofOne[0], {
      transaction_id: paid.transaction_id,
      account_number: one.accountNumber,
      environment: "live",
      order_id: orderId,
      currency: "TTD",
      amount: "100.00",
      status: "success",
      status_desc: "Normal",
      state: "paid",
      card: "visa **** 1111",
      email: "anika@example.com",
      created_at: paid.created_at.toISOString(),
    });
    const sandbox = await payments("--order", orderId, "--environment", "sandbox");
    assert.deepEqual(idsOf(sandbox), ids.slice(0, 1));
    assert.deepEqual(await payments("--order", "BASKET-4711"), []);
    const until = ["--until", paid.created_at.toISOString()];
    assert.deepEqual(idsOf(await payments("--order", orderId, ...until)), ids.slice(2));
    const said = await operator(service, ["find-payments", "--order", orderId, "--limit", "1"]);
    const at = tried.created_at.toISOString();
    assert.match(
      said.stdout,
      new RegExp(`and more: 1 are shown; --until ${at} shows those before`),
    );
  });

  test("are found by the customer's e-mail of all accounts, or of one and a time", async () => {
    const [one, other] = [await service.world.merchant(), await service.world.merchant()];
    const customer = { email: "odd.customer@example.com" };
    const old = await pay(service, newPayment(one, { customer }), APPROVED);
    await service.clock.advance({ hours: 75 });
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    const newer = await pay(service, newPayment(other, { customer, environment: "sandbox" }));
    await pay(service, newPayment(other));
    const email = ["--email", "Odd.Customer@Example.com"];
    const hour = 3_600_000;
    const lately = ["--since", new Date(now.getTime() - hour).toISOString()];
    const longAgo = ["--since", new Date(now.getTime() - 100 * hour).toISOString()];
    assert.deepEqual(idsOf(await payments(...email, ...lately)), [newer.transaction_id]);
    const both = [newer.transaction_id, old.transaction_id];
    assert.deepEqual(idsOf(await payments(...email, ...longAgo)), both);
    assert.deepEqual(idsOf(await payments(...email)), both);
    const ofOne = ["--account", one.accountNumber];
    assert.deepEqual(idsOf(await payments(...email, ...ofOne)), both.slice(1));
    assert.deepEqual(idsOf(await payments(...email, ...ofOne, ...lately)), []);
    const live = ["--environment", "live"];
    assert.deepEqual(idsOf(await payments(...email, ...longAgo, ...live)), both.slice(1));
  });

  test("are found by a card that was tried, also one that did not pay or is undecided", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    await submit(service, order, CARDS.mastercard);
    const found = await payments("--last-four", "3333", "--account", order.shop.accountNumber);
    assert.deepEqual(
      found.map(({ transaction_id, status, card, tried }) => [transaction_id, status, card, tried]),
      [[order.id, "success", "mastercard **** 1111", "declined"]],
    );
    const undecided = await openOrder(service);
    await submit(service, undecided, CARDS.asked);
    const [asked] = await payments("--last-four", "2010", "--environment", "sandbox");
    assert.deepEqual([asked?.transaction_id, asked?.tried], [undecided.id, "challenged"]);
    assert.deepEqual(await payments("--last-four", "2010", "--environment", "live"), []);
    const { stdout } = await operator(service, ["find-payments", "--last-four", "3333"]);
    assert.match(stdout, /card +tried +e-mail/);
    await expectAllToAddUp(service);
  });

  test("are not looked for in ways that would read all of them, or with a whole card number", async () => {
    await expectRefusals(service, [
      [
        ["find-payments", "--last-four", "4111111111111111"],
        "The last four must be four digits; never type a whole card number.",
      ],
      [
        ["find-payments", "--order", "x", "--account", "9999999999"],
        "There is no account 9999999999.",
      ],
    ]);
    for (const args of [[], ["--order", "x", "--last-four", "1111"]]) {
      const { code, stderr } = await operatorProcess(undefined, ["find-payments", ...args]);
      assert.equal(code, 2);
      assert.match(stderr, /^find-payments needs one of --order and --email and --last-four\.\n/);
    }
  });

  test("by e-mail are looked for by account, until the time is up", async () => {
    assert.ok(findPayments.kind === "read");
    const { db } = service.ctx;
    const shop = await service.world.merchant();
    const paid = await pay(service, newPayment(shop), APPROVED);
    const context = { db, sayProgress() {}, searchMsMax: 0 } as unknown as OperatorContext;
    const asked = { email: "anika@example.com", limit: 50 };
    // More than are looked at in one statement.
    await makeMerchants(db, 2_000);
    const first = await findPayments.run(context, asked);
    assert.equal(first.data.is_complete, false);
    assert.match(first.text, /^Not all accounts were looked at: name one\.$/m);
    const rest = await findPayments.run(context, { ...asked, account: shop.accountNumber });
    assert.equal(rest.data.is_complete, true);
    assert.deepEqual(idsOf(rest.data.payments as { transaction_id: string }[]), [
      paid.transaction_id,
    ]);
  });

  test("are reached by an index, whichever way they are looked for", async () => {
    const { db } = service.ctx;
    const shop = await service.world.merchant();
    const { accountNumber: account } = shop;
    // Enough of them that the planner has a choice to make.
    const history = { rows: 10_000, until: "2026-11-14T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, shop, history);
    await db.run(sql`analyze transactions`);
    const { since, until } = await db.one<{ since: Date; until: Date }>(sql`
      select app_now() - interval '1 hour' as since, app_now() + interval '1 hour' as until`);
    const search = {
      ...{ environments: ["live", "sandbox"] as const, max: 51, sayProgress() {} },
      stopAt: Number.POSITIVE_INFINITY,
      ...{ since, until },
    };
    const rows = mock.method(db, "rows");
    for (const whose of [account, undefined]) {
      await findByOrder(db, "order-1", { ...search, account: whose });
      await findByEmail(db, "anika@example.com", { ...search, account: whose });
      await findByCard(db, "1111", { ...search, account: whose });
    }
    const sent = rows.mock.calls.map((call) => call.arguments[0] as Sql);
    rows.mock.restore();
    const used = new Set<string>();
    for (const statement of sent) {
      const plan = JSON.stringify(await db.rows(sql`explain (format json) ${statement}`));
      assert.doesNotMatch(plan, /Seq Scan/);
      for (const [, index = ""] of plan.matchAll(/"Index Name":"(\w+)"/g)) used.add(index);
    }
    for (const index of [
      "an_order_has_one_live_transaction",
      "failed_transactions_by_order",
      "transactions_by_email",
      "checkout_attempts_by_card",
      "checkout_attempts_undecided",
    ])
      assert(used.has(index), `${index} was not used: ${[...used].join(", ")}`);
  });
});
