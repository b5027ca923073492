/**
 * The figures of an account are those of its payments, by day, currency and reason, also while they
 * are being added up; an account sees its own only (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { now } from "../../src/infra/db/clock.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addDays, dayAt } from "../../src/kit/local-day.ts";
import { formatMoney, money } from "../../src/kit/money.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { readFigures } from "../../src/modules/statements/read-figures.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import type { PaymentResult } from "../../src/modules/transactions/finalise-transaction.ts";
import type { TransactionRow } from "../../src/modules/transactions/transaction.ts";
import { fuzzRuns } from "../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, TIMED_OUT } from "../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const timeZone = "America/Jamaica";
const declined = (code: number): PaymentResult => ({
  status: "failed",
  message: `[2-R${code}]: Declined for reason ${code}.`,
  card: { brand: "visa", lastFour: "3333" },
});

/** By reading every payment. */
function expected(rows: readonly TransactionRow[], today: string, days: number) {
  const dayOf = (row: TransactionRow) => dayAt(row.finalised_at ?? row.created_at, timeZone);
  const within = (first: number, last: number) =>
    rows.filter((row) => dayOf(row) >= addDays(today, first) && dayOf(row) <= addDays(today, last));
  const outcomes = (some: readonly TransactionRow[]) => {
    const paid = some.filter(({ status }) => status === "success").length;
    const left = some.filter(({ message }) => message?.startsWith("[3-R98]")).length;
    const unpaid = some.filter(({ status }) => ["failed", "error"].includes(status)).length;
    const failed = unpaid - left;
    const successRate = paid + failed === 0 ? undefined : paid / (paid + failed);
    return { paid, failed, left, successRate };
  };
  const volume = (currency: "TTD" | "USD", some: readonly TransactionRow[]) => {
    const own = some.filter((row) => row.currency === currency && row.status === "success");
    const sum = (name: "customer_total_minor" | "fee_minor") =>
      formatMoney(
        money(
          currency,
          own.reduce((all, row) => all + row[name], 0n),
        ),
      );
    return [own.length, sum("customer_total_minor"), sum("fee_minor")].join(" ");
  };
  const current = within(1 - days, 0);
  const previous = within(1 - 2 * days, -days);
  const codes = Map.groupBy(
    current.filter(({ status }) => ["failed", "error"].includes(status)),
    ({ message }) => /\[(.*?)\]/.exec(message ?? "")?.[1] ?? "none",
  );
  const reasons = [...codes]
    .map(([code, all]) => `${code} ${all.length}`)
    .toSorted((a, b) => Number(b.split(" ")[1]) - Number(a.split(" ")[1]) || (a < b ? -1 : 1));
  return {
    total: outcomes(current),
    totalBefore: outcomes(previous),
    today: outcomes(within(0, 0)),
    reasons: reasons.slice(0, 8),
    volumes: (["TTD", "USD"] as const)
      .filter((one) => !/^0 .*\|0 /.test([current, previous].map((p) => volume(one, p)).join("|")))
      .map((one) => [one, volume(one, current), volume(one, previous)].join(": ")),
  };
}

test("any payments over weeks", async () => {
  const { db } = service.ctx;
  const acts = fc.array(
    fc.record({
      hours: fc.integer({ min: 0, max: 30 }),
      amount: fc.constantFrom("10.00 TTD", "25.50 TTD", "99.00 USD"),
      result: fc.constantFrom(
        undefined,
        APPROVED,
        APPROVED,
        APPROVED,
        TIMED_OUT,
        ...[5, 14, 41, 51, 54, 57, 61, 62, 65].map(declined),
      ),
      addsUp: fc.boolean(),
    }),
    { minLength: 20, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(acts, fc.constantFrom(7 as const, 30 as const), async (list, days) => {
      const [shop, other] = [await openShop(service), await openShop(service)];
      for (const { hours, amount, result, addsUp } of list) {
        await service.clock.advance({ hours });
        await pay(service, newPayment(shop, { amount }), result);
        await pay(service, newPayment(other, { environment: "sandbox" }), APPROVED);
        if (addsUp) await addUpCounts(db);
        if (addsUp) await addUpStatements(db);
      }
      const { accountNumber } = shop;
      const rows = await db.rows<TransactionRow>(sql`
        select * from transactions where account_number = ${accountNumber}`);
      const wanted = { accountNumber, environment: "live", timeZone, days } as const;
      const figures = await readFigures(db, { ...wanted, currency: undefined });
      const volume = (one: (typeof figures.currencies)[number]["total"]) =>
        [one.paid, formatMoney(one.volume), formatMoney(one.fees)].join(" ");
      const { day: _, ...today } = figures.days.at(-1) ?? { day: "" };
      assert.deepEqual(
        {
          total: figures.total,
          totalBefore: figures.totalBefore,
          today,
          reasons: figures.reasons.map(({ code, count }) => `${code} ${count}`),
          volumes: figures.currencies.map(({ currency, total, totalBefore }) =>
            [currency, volume(total), volume(totalBefore)].join(": "),
          ),
        },
        expected(rows, dayAt(await now(db), timeZone), days),
      );
      assert.equal(figures.days.length, days);
      for (const { code, message } of figures.reasons) assert(message.startsWith(`[${code}]: `));
      const shown = figures.reasons.reduce((all, { count }) => all + count, 0);
      assert.equal(shown + figures.otherReasons, figures.total.failed + figures.total.left);
      const inDollars = await readFigures(db, { ...wanted, currency: "USD" });
      const dollars = figures.currencies.filter(({ currency }) => currency === "USD");
      assert.deepEqual(inDollars.currencies, dollars);
    }),
    { numRuns: fuzzRuns({ usual: 3, proof: 30 }) },
  );
});
