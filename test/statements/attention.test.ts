/** The console lists what needs its owner's attention, and nothing of another account. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { describeMoney } from "../../src/kit/money.ts";
import { type AttentionItem, readAttention } from "../../src/modules/statements/read-attention.ts";
import { openChargeback, settleChargeback } from "../../src/modules/transactions/dispute.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { APPROVED, newPayment, pay } from "../../testkit/transactions.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { openOwner, withdraw } from "../../testkit/withdrawals.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

function describe(item: AttentionItem): string {
  switch (item.kind) {
    case "unverified":
      return item.kind;
    case "webhook":
      return `${item.url} ${item.isDisabled ? "disabled" : "failing"}`;
    case "withdrawal_held":
      return `${item.transactionId} ${describeMoney(item.amount)} ${item.reason}`;
    case "dispute":
      return `${item.orderId} ${describeMoney(item.amount)}`;
  }
}

test("disputes, held withdrawals, failing webhooks and an unverified account", async () => {
  const { db } = service.ctx;
  const [owner, other] = [await openOwner(service), await openOwner(service)];
  const read = async (environment: "live" | "sandbox", who = owner) =>
    (await readAttention(db, { accountNumber: who.accountNumber, environment })).map(describe);
  assert.deepEqual(await read("sandbox"), []);

  const held = await withdraw(service, owner, { amount: "25.00" });
  await operatorJson(service, ["hold-withdrawal", held, "--tell", "We look at it", ...SIGNED]);
  const payment = newPayment(owner, { environment: "sandbox", orderId: "disputed-1" });
  const { transaction_id } = await pay(service, payment, APPROVED);
  const action = { transactionId: transaction_id, by: "D. Joseph", why: "ticket 4711" };
  await db.transaction((tx) => openChargeback(tx, action));
  const endpoint = await makeEndpoint(service, owner, { environment: "sandbox" });
  await makeEndpoint(service, other, { environment: "sandbox" });
  await db.run(sql`
    update webhook_endpoints set failing_since = app_now() where endpoint_id = ${endpoint.id}`);
  await db.run(sql`
    update accounts set verified_at = null where account_number = ${owner.accountNumber}`);

  assert.deepEqual(await read("sandbox"), [
    "unverified",
    "disputed-1 105.20 TTD",
    `${held} 25.00 TTD We look at it`,
    `${endpoint.url} failing`,
  ]);
  assert.deepEqual(await read("live"), ["unverified"]);
  assert.deepEqual(await read("sandbox", other), []);
  await db.transaction((tx) => settleChargeback(tx, { ...action, outcome: "released" }));
  await operatorJson(service, ["release-withdrawal", held, ...SIGNED]);
  assert.deepEqual(await read("sandbox"), ["unverified", `${endpoint.url} failing`]);
});
