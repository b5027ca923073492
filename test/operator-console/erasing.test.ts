/**
 * The guarantee: a page says that a customer's data is erased when all of it is, and how much that
 * was; what stopped in between is not said to be done.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { hiddenOf } from "../../testkit/console.ts";
import { act, makeOperator, saidAfter, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());
const tab = await signInOperator(service, await makeOperator(service, "risk"));
const shop = await openShop(service);
await pay(service, newPayment(shop), APPROVED);

const path = "/operator/actions/erase-customer-data";
const about = { email: "anika@example.com", account: shop.accountNumber };

test("what stopped before its end is not said to be done, and goes on by a new form", async () => {
  const hidden = hiddenOf(await tab.get(`${path}?${new URLSearchParams(about)}`));
  const send = () => tab.post(path, { ...hidden, ...about, why: "ticket 4711" }, { from: path });
  const stopped = await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`lock table logged_requests in access exclusive mode`);
    return send();
  });
  assert.equal(stopped.status, 503, stopped.text);
  assert.match(await saidAfter(tab, await send()), /^Not all of it is erased yet\./);
});

test("at its end it says how much was erased", async () => {
  await pay(service, newPayment(shop), APPROVED);
  const answer = await act(tab, "erase-customer-data", about);
  const said = await saidAfter(tab, answer);
  assert.match(said, /^Erased: the customer&#39;s data of 1 payments, 0 saved cards and 0 mails;/);
  assert.match(said, /Audit entry \d+\./);
});
