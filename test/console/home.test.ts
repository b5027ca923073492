/**
 * Home says what the ledger and the statement say, of the account and environment in view only, to
 * the roles that may see balances, and leads to what needs attention.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { ROLES } from "../../src/kit/roles.ts";
import { openChargeback } from "../../src/modules/transactions/dispute.ts";
import { fund } from "../../testkit/books.ts";
import { makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, DECLINED, newPayment, pay, TIMED_OUT } from "../../testkit/transactions.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { openOwner, withdraw } from "../../testkit/withdrawals.ts";

const service = await startService();
after(() => service.stop());

async function home(tab: Tab, query = ""): Promise<string> {
  const answer = await tab.get(`/console${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.text.replaceAll("\u00a0", " ");
}

/** What stands below a label of the figures. */
function statOf(text: string, label: string): string {
  const stat = text.split(`<p class="stat-label">${label}</p>`)[1]?.split("</div>")[0] ?? "";
  return stat
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

test("a new account sees nothing, in words", async () => {
  const fresh = await service.world.merchant();
  const text = await home(await signInTo(service, fresh));
  assert.equal(statOf(text, "Balance in TTD"), "TTD 0.00 TTD 0.00 available");
  assert.match(text, /No payments yet/);
  assert.match(text, /href="\/console\/links\/new">Make a payment link/);
  assert.match(text, /No payments in this period/);
  assert.ok(!text.includes("Needs attention"));
});

test("balances, volume and success are those of the ledger, beside the time before", async () => {
  const shop = await service.world.merchant();
  const own = await signInTo(service, shop);
  const make = (amount: string, result = APPROVED) =>
    pay(service, newPayment(shop, { environment: "sandbox", amount }), result);
  await fund(service.ctx.db, shop.accountNumber, "7.00 USD", "sandbox");
  await make("50.00 TTD");
  await service.clock.advance({ hours: 24 * 8 });
  await make("100.00 TTD");
  await make("100.00 TTD");
  await make("100.00 TTD", DECLINED);
  await pay(service, newPayment(shop, { environment: "live", amount: "999.00 TTD" }), APPROVED);
  const again = await signInTo(service, shop);
  const text = await home(again, "?days=7");
  assert.equal(statOf(text, "Balance in TTD"), "TTD 250.00 TTD 250.00 available");
  assert.equal(statOf(text, "Balance in USD"), "USD 7.00 USD 7.00 available");
  const volume = statOf(text, "Volume in TTD");
  assert.match(volume, /^TTD 210\.40 .*more than in the 7 days before Fees TTD 10\.40$/);
  const success = statOf(text, "Success rate");
  assert.match(success, /^66\.7% 33\.3 points lower than in the 7 days before 2 paid, 1 failed$/);
  assert.match(text, /The card&#39;s bank did not approve the payment/);
  assert.match(statOf(await home(again, "?days=30"), "Volume in TTD"), /^TTD 263\./);
  assert.equal((await own.get("/console")).status, 303, "that session has rested too long");
});

test("who went away without paying is told, and not counted in the rate", async () => {
  const shop = await service.world.merchant();
  for (const result of [APPROVED, TIMED_OUT, TIMED_OUT])
    await pay(service, newPayment(shop, { environment: "sandbox" }), result);
  const success = statOf(await home(await signInTo(service, shop)), "Success rate");
  assert.match(success, /^100% .*1 paid, 0 failed; not counted: 2 that customers left$/);
});

test("where live is simulated, it says so", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  assert.doesNotMatch(await home(tab), /live is simulated/);
  await tab.post("/console/environment", { environment: "live" });
  assert.match(await home(tab), /Development: live is simulated too, no money moves/);
});

test("the period stands in the address; what is not one of three is 30", async () => {
  const marked = (text: string) =>
    /days=(\d+)"? aria-current="true"/.exec(text.replaceAll("&amp;", "&"))?.[1];
  const tab = await signInTo(service, await service.world.merchant());
  assert.equal(marked(await home(tab)), "30");
  for (const days of ["7", "30", "90"])
    assert.equal(marked(await home(tab, `?days=${days}`)), days);
  assert.equal(marked(await home(tab, "?days=1000000")), "30");
  const longest = await home(tab, "?days=90");
  assert.ok(Buffer.byteLength(longest) < 100_000, "at most 100 kB");
});

test("what needs attention leads to it, for roles that can do something about it", async () => {
  const { db } = service.ctx;
  const owner = await openOwner(service);
  const { accountNumber } = owner;
  const held = await withdraw(service, owner, { amount: "25.00" });
  await operatorJson(service, ["hold-withdrawal", held, "--tell", "We look <at> it", ...SIGNED]);
  const payment = newPayment(owner, { environment: "sandbox", orderId: "disputed-1" });
  const { transaction_id: id } = await pay(service, payment, APPROVED);
  await db.transaction((tx) => openChargeback(tx, { transactionId: id, by: "D", why: "w" }));
  const endpoint = await makeEndpoint(service, owner, { environment: "sandbox" });
  await db.run(sql`
    update webhook_endpoints set failing_since = app_now() where endpoint_id = ${endpoint.id}`);
  await db.run(sql`update accounts set verified_at = null where account_number = ${accountNumber}`);
  const text = await home(await signInTo(service, owner));
  assert.match(text, /This account is not verified yet/);
  assert.match(text, /A customer disputes TTD 105\.20/);
  assert.match(text, /Order disputed-1, opened on <time[^>]*>\d/);
  assert.ok(text.includes(`href="/console/payments/${id}"`));
  assert.match(text, /A withdrawal of TTD 25\.00 is held/);
  assert.match(text, /We look &lt;at&gt; it/);
  assert.ok(text.includes(`href="/console/withdrawals/${held}"`));
  assert.match(text, /A webhook endpoint is failing/);
  const viewer = await makeMember(service, accountNumber, "viewer");
  const seen = await home(await signInTo(service, viewer));
  assert.match(seen, /A customer disputes/);
  assert.ok(!/A withdrawal of|A webhook endpoint/.test(seen));
});

test("support begins at the payments; every other role sees Home", async () => {
  const { accountNumber } = await service.world.merchant();
  for (const role of ROLES) {
    const member = await makeMember(service, accountNumber, role);
    const answer = await (await signInTo(service, member)).get("/console");
    if (role === "support") assert.equal(answer.headers.get("location"), "/console/payments");
    else assert.equal(answer.status, 200, role);
  }
});
