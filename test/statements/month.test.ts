/**
 * Over a month of traffic with refunds, disputes and withdrawals, the statement, its CSV, the
 * payments CSV, the API and the ledger agree to the cent, in every time zone (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/infra/db/query.ts";
import { addDays, dayAt } from "../../src/kit/local-day.ts";
import { type Currency, formatMoney, money, parseMoney } from "../../src/kit/money.ts";
import {
  LINES,
  readStatement,
  type Statement,
  statementCsv,
} from "../../src/modules/statements/read-statement.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { operatorJson } from "../../testkit/operator.ts";
import { fuzzRuns } from "../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openOwner } from "../../testkit/withdrawals.ts";
import { acts, Traffic } from "./traffic.ts";

const ZONES = ["America/Port_of_Spain", "UTC", "Asia/Kathmandu"];

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const minorOf = (currency: Currency, text: string) => parseMoney(currency, text)?.minor ?? 0n;

/** The last moment of each day by the ledger alone, row by row. */
async function balanceBefore(traffic: Traffic, currency: Currency, day: string, zone: string) {
  const { minor } = await service.ctx.db.one<{ minor: bigint }>(sql`
    select coalesce(sum(amount_minor * case when credit_account_id = ledger_account_id
      then 1 else -1 end), 0)::bigint as minor
    from ledger_transfers join ledger_postings using (environment, posting_id)
    join ledger_accounts on ledger_account_id in (debit_account_id, credit_account_id)
    where account_number = ${traffic.owner.accountNumber} and ledger_accounts.currency = ${currency}
      and ledger_accounts.environment = 'sandbox'
      and posted_at < ${`${day} 00:00`}::timestamp at time zone ${zone}`);
  return formatMoney(money(currency, minor));
}

async function expectStatementToAddUp(traffic: Traffic, statement: Statement): Promise<void> {
  const { currency, timeZone, days, totals } = statement;
  const sumOf = (name: (typeof LINES)[number]) =>
    days.reduce((all, day) => all + day[name].minor, 0n);
  for (const [at, day] of days.entries()) {
    const moved = LINES.reduce((all, name) => all + day[name].minor, 0n);
    assert.equal(day.opening.minor + moved, day.closing.minor, day.day);
    if (at > 0) assert.deepEqual(day.opening, days[at - 1]?.closing, day.day);
    const expected = await balanceBefore(traffic, currency, addDays(day.day, 1), timeZone);
    assert.equal(formatMoney(day.closing), expected, `${day.day} ${timeZone}`);
  }
  for (const name of LINES) assert.equal(totals[name].minor, sumOf(name), name);
  assert.deepEqual(totals.opening, days[0]?.opening);
  assert.deepEqual(totals.closing, days.at(-1)?.closing);
  const csv = statementCsv(statement)
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  assert.deepEqual(csv.at(-1), [
    "total",
    currency,
    ...[totals.opening, ...LINES.map((name) => totals[name]), totals.closing].map(formatMoney),
  ]);
  assert.equal(csv.length, days.length + 2);
}

/** What the API, its CSV and the operator's commands say of the same time. */
async function expectOthersToAgree(traffic: Traffic, { currency, totals }: Statement) {
  const asText = (minor: bigint) => formatMoney(money(currency, minor));
  const { body } = await traffic.request("/user/?environment=sandbox");
  const own = [body.data.balances.local, body.data.balances.foreign].find(
    (one) => one.currency === currency,
  );
  assert.equal(formatMoney(totals.closing), own.balance);

  const csv = await traffic.request("/transactions/?environment=sandbox", {
    headers: { accept: "text/csv" },
  });
  const [heading = [], ...rows] = csv.text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const cell = (row: string[], name: string) => row[heading.indexOf(name)] ?? "";
  const paid = rows.filter(
    (row) => cell(row, "currency") === currency && cell(row, "status") === "success",
  );
  const sum = (name: string) =>
    paid.reduce((all, row) => all + minorOf(currency, cell(row, name)), 0n);
  assert.equal(formatMoney(totals.payments), asText(sum("customer_total")));
  assert.equal(formatMoney(totals.fees), asText(-sum("fee")));
  assert.equal(formatMoney(totals.refunds), asText(-sum("refunded_total")));

  let disputed = 0n;
  for (const row of paid) {
    const id = cell(row, "transaction_id");
    const { disputes } = await operatorJson(service, ["show-payment", id]);
    for (const { state, covered } of disputes)
      if (state === "processed") disputed += minorOf(currency, covered);
  }
  assert.equal(formatMoney(totals.disputes), asText(-disputed));

  let withdrawn = 0n;
  const listed = await traffic.request("/withdrawals/?environment=sandbox&page_size=100");
  for (const one of listed.body.data) {
    if (one.currency !== currency) continue;
    if (["processing", "completed"].includes(one.status))
      withdrawn += minorOf(currency, one.amount);
    if (one.status === "completed") withdrawn += minorOf(currency, one.fee);
  }
  assert.equal(formatMoney(totals.withdrawals), asText(-withdrawn));
}

test("statement, CSV, API and ledger agree", async () => {
  const length = { minLength: 70, maxLength: 90 };
  await fc.assert(
    fc.asyncProperty(acts(length), async (month) => {
      const owner = await openOwner(service, "merchant", { funds: "500.00 TTD, 500.00 USD" });
      const traffic = new Traffic(service, owner);
      const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
      for (const act of month) await traffic.run(act);
      for (const currency of ["TTD", "USD"] as const)
        for (const [at, timeZone] of ZONES.entries()) {
          const from = addDays(dayAt(now, timeZone), -1);
          const { accountNumber } = owner;
          const asked = { accountNumber, environment: "sandbox", currency, timeZone } as const;
          const statement = await readStatement(service.ctx.db, {
            ...asked,
            from,
            to: addDays(from, 365),
          });
          await expectStatementToAddUp(traffic, statement);
          if (at === 0) await expectOthersToAgree(traffic, statement);
          assert.equal(formatMoney(statement.totals.other), "500.00");
        }
      await expectBooksToBalance(service.ctx.db);
    }),
    { numRuns: fuzzRuns({ usual: 1, proof: 8 }), endOnFailure: true },
  );
});
