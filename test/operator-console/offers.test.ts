/**
 * The guarantee: a payment's page offers what its condition allows, says what became of it in the
 * owner's words, and a form about money shows what it is about and how much is left.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { act, makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());
const shop = await openShop(service);
const tab = await signInOperator(service, await makeOperator(service, "admin"));
const other = await signInOperator(service, await makeOperator(service, "admin"));

const paid = async (more: Parameters<typeof newPayment>[1] = {}) =>
  (await pay(service, newPayment(shop, more), APPROVED)).transaction_id;
const shown = async (path: string) => (await tab.get(path)).text.replaceAll("\u00a0", " ");

async function offered(id: string): Promise<string[]> {
  const text = await shown(`/operator/payments/${id}`);
  return [...text.matchAll(/\/operator\/actions\/([a-z-]+)\?/g)].map(([, name]) => name ?? "");
}

test("a payment's page offers what its condition allows", async () => {
  const id = await paid();
  assert.deepEqual(await offered(id), ["refund-payment", "open-chargeback", "confirm-fraud"]);
  await operatorJson(service, ["open-chargeback", id, "--amount", "40.00", ...SIGNED]);
  assert.deepEqual(await offered(id), ["settle-chargeback", "confirm-fraud"]);
  await operatorJson(service, ["settle-chargeback", id, "--processed", ...SIGNED]);
  assert.deepEqual(await offered(id), []);
});

test("lists say what became of a payment, and mark those of the sandbox", async () => {
  const order = "told-order";
  const disputed = await paid({ orderId: order });
  await operatorJson(service, ["open-chargeback", disputed, ...SIGNED]);
  for (const path of [`/operator?q=${order}`, `/operator/payments?order=${order}`]) {
    const text = await shown(path);
    assert.match(text, /Disputed/);
    assert.doesNotMatch(text, /Success|>Sandbox</);
  }
  await paid({ orderId: "box-order", environment: "sandbox" });
  assert.match(await shown("/operator?q=box-order"), />Sandbox</);
});

test("the form of a refund shows the payment, and what is left of it", async () => {
  const id = await paid({ orderId: "big-1" });
  await operatorJson(service, ["open-chargeback", id, "--amount", "40.00", ...SIGNED]);
  await operatorJson(service, ["settle-chargeback", id, "--released", ...SIGNED]);
  const text = await shown(`/operator/actions/refund-payment?transaction_id=${id}`);
  for (const part of [/big-1/, /anika@example\.com/, /TTD 105\.20/, /value="105\.20"/])
    assert.match(text, part);
  assert.match(text, /data-amount-text="Refund TTD"/);
});

test("who approves sees money with its currency, and what it is about", async () => {
  const id = await paid({ orderId: "big-2", amount: "9000.00 TTD" });
  await act(tab, "refund-payment", { transaction_id: id, amount: "6000" });
  const { approval_id: approval } = await service.ctx.db.one<{ approval_id: string }>(sql`
    select approval_id from approvals where transaction_id = ${id}`);
  for (const path of [
    `/operator/approvals/${approval}`,
    `/operator/actions/approve?approval_id=${approval}`,
  ]) {
    const text = (await other.get(path)).text.replaceAll("\u00a0", " ");
    assert.match(text, /<dt>Amount<\/dt><dd>TTD 6,000\.00<\/dd>/);
    assert.match(text, /<dt>Order<\/dt><dd>big-2<\/dd>/);
    assert.match(text, /<dt>Environment<\/dt><dd>Live<\/dd>/);
    assert.match(text, /\d{1,2} \w{3} 20\d\d<\/time>, \d\d:\d\d:\d\d UTC/);
  }
});
