/**
 * A payment belongs to the day of its time zone, in the statement and in the figures, on either
 * side of midnight and in zones that differ from UTC by quarters of an hour (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { now } from "../../src/infra/db/clock.ts";
import { addDays, dayAt, startOfDay } from "../../src/kit/local-day.ts";
import { formatMoney } from "../../src/kit/money.ts";
import { COUNTRY_CODES } from "../../src/kit/vocabulary.ts";
import { platformOf } from "../../src/modules/platforms/platform.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { readFigures } from "../../src/modules/statements/read-figures.ts";
import { readStatement } from "../../src/modules/statements/read-statement.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { APPROVED, DECLINED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const ZONES = [...COUNTRY_CODES.map((code) => platformOf(code).timeZone), "Asia/Kathmandu", "UTC"];

for (const timeZone of new Set(ZONES))
  test(`half a minute before and after midnight in ${timeZone}`, async () => {
    const { db } = service.ctx;
    const shop = await openShop(service);
    const { accountNumber } = shop;
    const at = await now(db);
    const midnight = startOfDay(addDays(dayAt(at, timeZone), 1), timeZone);
    const seconds = (midnight.getTime() - at.getTime()) / 1_000 - 30;
    await service.clock.advance({ seconds: seconds < 0 ? seconds + 86_400 : seconds });
    const first = dayAt(await now(db), timeZone);
    await pay(service, newPayment(shop, { amount: "10.00 TTD" }), APPROVED);
    await pay(service, newPayment(shop), DECLINED);
    await service.clock.advance({ seconds: 60 });
    await pay(service, newPayment(shop, { amount: "20.00 TTD" }), APPROVED);

    const whose = { accountNumber, environment: "live", currency: "TTD", timeZone } as const;
    const days = { from: addDays(first, -1), to: addDays(first, 5) };
    for (const round of ["from the ledger", "from the sums"]) {
      const statement = await readStatement(db, { ...whose, ...days });
      assert.deepEqual(
        statement.days.map(({ day, opening, closing }) =>
          [day, formatMoney(opening), formatMoney(closing)].join(" "),
        ),
        [
          `${addDays(first, -1)} 0.00 0.00`,
          `${first} 0.00 10.00`,
          `${addDays(first, 1)} 10.00 30.00`,
        ],
        round,
      );
      const figures = await readFigures(db, { ...whose, days: 7 });
      const lastTwo = figures.days.slice(-2).map(({ day, paid, failed }) => [day, paid, failed]);
      assert.deepEqual(lastTwo, [
        [first, 1, 1],
        [addDays(first, 1), 1, 0],
      ]);
      await addUpStatements(db);
      await addUpCounts(db);
    }
  });
