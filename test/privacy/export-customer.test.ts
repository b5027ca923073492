/**
 * A customer's data are read before the tx that audits the export, because they are looked for in
 * every account; and they are given only once the entry is there (Decision 0122).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tx } from "../../src/infra/db/transaction.ts";
import { createAct } from "../../src/modules/operator/act.ts";
import type { Act, OperatorContext } from "../../src/modules/operator/command.ts";
import { exportCustomerData } from "../../src/modules/operator/privacy/export-customer-data.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());

const email = "reading@example.com";

function run(act: Act) {
  assert.ok(exportCustomerData.kind === "action");
  return exportCustomerData.run(service.ctx as unknown as OperatorContext, { email }, act);
}

test("the data are read outside the tx, and none are given without the entry", async () => {
  const shop = await openShop(service);
  await pay(service, newPayment(shop, { customer: { email } }), APPROVED);
  // A tx that can run nothing.
  const tx = {} as Tx;
  const withoutStatements: Act = async (work) => {
    const done = await work(tx, { by: "D. Joseph", why: "ticket 4711" });
    return { ...done, done };
  };
  const { data } = await run(withoutStatements);
  assert.equal((data.payments as unknown[]).length, 1);
  const failing = createAct(
    service.ctx.db,
    { by: "D. Joseph", why: "ticket 4711" },
    { after: () => Promise.reject(new Error("the commit failed")) },
  );
  await assert.rejects(run(failing), /the commit failed/);
});
