/**
 * "Simulate…" in the console: offered for sandbox objects whose state allows something, to roles
 * that may, by the use cases of the API; what is refused is said on the page (Decision 0102).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { expectAllToAddUp, openOrder, told } from "../../testkit/checkout-sessions.ts";
import { makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, pay } from "../../testkit/transactions.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { openOwner, statusOf, withdraw } from "../../testkit/withdrawals.ts";

const service = await startService();
const owner = await openOwner(service);
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});
const tab = await signInTo(service, owner);

const simulate = (by: Tab, page: string, form: Record<string, string>) =>
  by.post(`${page}/simulate`, form, { from: page });

test("a payment is approved, then disputed; what its state forbids is not offered", async () => {
  const order = await openOrder(service, { shop: owner });
  const page = `/console/payments/${order.id}`;
  const open = (await tab.get(page)).text;
  assert.match(open, /<summary>Simulate…<\/summary>/);
  assert.match(open, /The card is approved/);
  assert.doesNotMatch(open, /The customer disputes it/);
  const approved = await simulate(tab, page, { outcome: "approve", code: "" });
  assert.equal(approved.headers.get("location"), `${page}?done=simulated`);
  assert.match(await told(service, order), /^success/);
  const paid = (await tab.get(page)).text;
  assert.doesNotMatch(paid, /The card is approved/);
  await simulate(tab, page, { outcome: "chargeback_pending" });
  assert.match((await tab.get(page)).text, /The dispute is won/);
});

test("a refusal is said on the page, in the words of its list, under its status", async () => {
  const order = await openOrder(service, { shop: owner });
  const page = `/console/payments/${order.id}`;
  const refused = await simulate(tab, page, { outcome: "chargeback_released" });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /too late or too early for “The dispute is won”/);
  assert.doesNotMatch(refused.text, /Chargeback Pending/);
  const code = await simulate(tab, page, { outcome: "approve", code: "51" });
  assert.equal(code.status, 400);
  assert.match(code.text, /goes with the outcome decline only/);
  assert.match(code.text, /id="simulate" open/);
  assert.match(await told(service, order), /^incomplete/);
});

test("nothing is offered or done for live payments, and by roles without the right", async () => {
  const live = await pay(service, newPayment(owner), APPROVED);
  const page = `/console/payments/${live.transaction_id}`;
  assert.doesNotMatch((await tab.get(page)).text, /Simulate…/);
  assert.equal((await simulate(tab, page, { outcome: "fraud_confirmed" })).status, 404);
  const order = await openOrder(service, { shop: owner });
  const own = `/console/payments/${order.id}`;
  for (const role of ["finance", "support", "viewer"] as const) {
    const other = await signInTo(service, await makeMember(service, owner.accountNumber, role));
    assert.doesNotMatch((await other.get(own)).text, /Simulate…/);
    assert.equal((await simulate(other, own, { outcome: "approve" })).status, 404);
  }
  assert.match(await told(service, order), /^incomplete/);
});

test("a withdrawal is processed, completed and comes back", async () => {
  const id = await withdraw(service, owner, { amount: "10.00" });
  const page = `/console/withdrawals/${id}`;
  assert.match((await tab.get(page)).text, /The bank gets the order/);
  for (const outcome of ["process", "complete"]) await simulate(tab, page, { outcome });
  const back = await simulate(tab, page, { outcome: "return", reason: "The account is closed." });
  assert.equal(back.status, 303);
  assert.equal(await statusOf(service, id), "returned");
  const { text } = await tab.get(page);
  assert.match(text, /Returned/);
  assert.match(text, /The account is closed\./);
  assert.doesNotMatch(text, /Simulate…/);
  assert.match((await tab.get("/console/withdrawals?status=returned")).text, new RegExp(id));
  assert.match((await tab.get("/console/balance")).text, /Returned/);
});

test("a receiver is simulated, and the page says until when", async () => {
  const { id } = await makeEndpoint(service, owner, { environment: "sandbox" });
  const page = `/console/developers/webhooks/${id}`;
  const done = await simulate(tab, page, { receiver: "error", seconds: "120" });
  assert.equal(done.headers.get("location"), `${page}?done=receiver`);
  assert.match((await tab.get(page)).text, /The receiver is simulated/);
  const refused = await simulate(tab, page, { receiver: "error", seconds: "x" });
  assert.equal(refused.status, 400);
  const moved = { method: "POST", token: owner.token, json: { advance: 121 } };
  assert.equal((await service.request("/sandbox/clock", moved)).status, 200);
  assert.doesNotMatch((await tab.get(page)).text, /The receiver is simulated/);
});
