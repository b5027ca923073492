/**
 * A receipt is sent again from the payment's page: by roles that may, once for each form, to the
 * address in it, and refused with a sentence where the API would refuse it (Decision 0098).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { mayDo, ROLES } from "../../src/kit/roles.ts";
import { receiptUrl } from "../../src/modules/receipts/receipt-token.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { hiddenOf, makeMember, signInTo } from "../../testkit/console.ts";
import { mailReasons, paidBy } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});
const shop = await openShop(service);
const tab = await signInTo(service, shop);

async function paid() {
  const id = await paidBy(service, shop, { environment: "sandbox" });
  const page = `/console/payments/${id}`;
  return { id, page, form: `${page}/receipt` };
}

test("the form has the customer's e-mail, sends once, and says so", async () => {
  const { id, page, form } = await paid();
  const shown = await tab.get(page);
  assert.match(shown.text, /action="[^"]*\/receipt" data-dialog="receipt"/);
  assert(shown.text.includes(`href="${receiptUrl(service.ctx.config, id)}"`), "See receipt");
  const asked = await tab.get(form);
  assert.match(asked.text, /name="email"[^>]*value="anika@example\.com"/);
  const { idempotency_key = "" } = hiddenOf(asked);
  for (let click = 0; click < 2; click += 1) {
    const fields = { idempotency_key, email: "office@example.com" };
    const sent = await tab.post(form, fields, { from: form });
    assert.equal(sent.status, 303, sent.text);
    assert.equal(sent.headers.get("location"), `${page}?done=receipt`);
  }
  assert.match((await tab.get(`${page}?done=receipt`)).text, /The receipt is being sent\./);
  const sent = await mailReasons(service, `${id} again`);
  assert.equal(sent.length, 1);
  const { recipient } = await service.ctx.db.one<{ recipient: string }>(sql`
    select recipient from mails where reason = ${sent[0]}`);
  assert.equal(recipient, "office@example.com");
});

test("a wrong address and the sixth in an hour are refused on the form, with what was typed", async () => {
  const { id, form } = await paid();
  const wrong = await tab.post(form, { email: "no <b>" }, { from: form });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /“E-mail” must be a valid email address/);
  assert.match(wrong.text, /value="no &lt;b&gt;"/);
  for (let count = 0; count < 5; count += 1)
    assert.equal((await tab.post(form, { email: "a@example.com" }, { from: form })).status, 303);
  const sixth = await tab.post(form, { email: "a@example.com" }, { from: form });
  assert.equal(sixth.status, 429);
  assert.equal((await mailReasons(service, `${id} again`)).length, 5);
});

test("a page without a receipt, or for a role that may not, has no button", async () => {
  const { transaction_id: failed } = await pay(
    service,
    newPayment(shop, { environment: "sandbox" }),
    DECLINED,
  );
  assert.doesNotMatch((await tab.get(`/console/payments/${failed}`)).text, /receipt/i);
  const { page } = await paid();
  for (const role of ROLES) {
    const member = await makeMember(service, shop.accountNumber, role);
    const { text } = await (await signInTo(service, member)).get(page);
    assert.equal(/Send receipt/.test(text), mayDo(role, "receipts"), role);
    assert.equal(/See receipt/.test(text), role !== "viewer", role);
  }
});

test("an address that refused mail is marked on the form", async () => {
  const { form } = await paid();
  await service.ctx.db.run(sql`
    insert into mail_bounces (address, code) values ('anika@example.com', 550)`);
  assert.match((await tab.get(form)).text, /was refused the last time/);
});
