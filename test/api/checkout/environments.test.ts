/**
 * The guarantee: what is tried in the sandbox leaves the live orders of the same merchant alone,
 * neither their ids nor the limits on declined cards (Decisions 0036, 0040).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ADDRESS, CARDS, openOrder, submit } from "../../../testkit/checkout-sessions.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const DECLINES_MAX = 2;
const limits = ["ADDRESS", "BIN", "MERCHANT"].map((by) => `DECLINES_PER_${by}_MAX`);
const service = await startService({
  settings: Object.fromEntries(limits.map((name) => [name, String(DECLINES_MAX)])),
});
after(() => service.stop());

test("one order id in both environments: each asked again gives its own page again", async () => {
  const shop = await service.world.merchant();
  const asked = minimal(shop.accountNumber);
  const both = (["sandbox", "live"] as const).map((environment) => ({ ...asked, environment }));
  const first = [];
  for (const fields of both) first.push((await ask(service, fields)).body);
  assert.notEqual(first[0].transaction_id, first[1].transaction_id);
  for (const [index, fields] of both.entries()) {
    const again = await ask(service, fields);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.body, first[index]);
  }
});

test("cards declined in the sandbox do not close the live page, nor the other way round", async () => {
  const shop = await openShop(service);
  const decline = async (environment: "sandbox" | "live") => {
    const order = await openOrder(service, { shop, environment });
    return (await submit(service, order, CARDS.declined, { address: ADDRESS })).kind;
  };
  for (const environment of ["sandbox", "live"] as const) {
    for (let card = 0; card < DECLINES_MAX; card++)
      assert.equal(await decline(environment), "taken", environment);
    assert.equal(await decline(environment), "limited");
  }
});
