/**
 * The guarantee: payments, refunds, card checks and their returns are in the acquirer's settlement
 * report as they are in the books, so that after it is imported the clearing account is zero.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { type Money, money } from "../../src/kit/money.ts";
import { completeChallenge } from "../../src/modules/checkout/session/complete-challenge.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import {
  ADDRESS,
  look,
  type Order,
  openOrder,
  submit,
  told,
} from "../../testkit/checkout-sessions.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { type PowertranzFake, startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { returnChecks, sweepRefunds } from "../../testkit/sweeps.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { saveCard, verifiedCard } from "../../testkit/trusted-cards.ts";

const FRICTIONLESS = "4012000000020071";
const CHALLENGED = "4012000000020006";

let fake: PowertranzFake;
let service: TestService;
let shop: Shop;
before(async () => {
  fake = await startPowertranzFake({ switches: { feeBasisPoints: 250, centsDecide: false } });
  service = await startService({
    settings: {
      POWERTRANZ_URL: fake.url,
      POWERTRANZ_ID: fake.id,
      POWERTRANZ_PASSWORD: fake.password,
    },
  });
  shop = await openShop(service);
});
after(async () => {
  await service.stop();
  await fake.stop();
});

/** As a customer does it, whose browser goes to the bank and comes back. */
async function buy(number: string, total: Money): Promise<Order> {
  const order = await openOrder(service, { shop, environment: "live", total });
  await submit(service, order, number);
  const session = await look(service, order);
  const { reference } = await service.ctx.db.one<{ reference: string }>(sql`
    select reference from powertranz_sales where transaction_id = ${order.id}`);
  const document = await service.ctx.gateways.live?.challengeDocument(reference);
  assert(document !== undefined);
  const { fields: posted } = await playBrowser(document);
  await completeChallenge(service.ctx, { session, posted, address: ADDRESS });
  assert.match(await told(service, order), /^success/);
  return order;
}

test("a report of the acquirer brings the clearing account to zero", async () => {
  const orders = [
    await buy(FRICTIONLESS, money("TTD", 10_000n)),
    await buy(CHALLENGED, money("USD", 2_000n)),
    await buy(FRICTIONLESS, money("BBD", 1_234n)),
  ];
  for (const amount of ["10.00", "10.00"]) {
    const asked = await service.request(`/transactions/${orders[0]?.id}/refund`, {
      method: "POST",
      token: shop.token,
      json: { amount },
    });
    assert.equal(asked.status, 201, asked.text);
  }
  await sweepRefunds(service.ctx);
  await verifiedCard(service, { shop, environment: "live", number: FRICTIONLESS });
  await saveCard(service, { shop, environment: "live", number: FRICTIONLESS, cents: 61 });
  await returnChecks(service.ctx);
  await fake.control.settle();
  const folder = await mkdtemp(path.join(tmpdir(), "windward-settlement-"));
  const file = path.join(folder, "settlement.csv");
  await writeFile(file, await fake.control.settlementReport());
  const said = await operator(service, ["import-settlement", file, ...SIGNED]);
  await rm(folder, { recursive: true });
  assert.equal(said.code, 0, said.stdout + said.stderr);
  assert.match(said.stdout, /^8 lines: 8 new, 8 matched, 0 differ, 0 unknown\.$/m);
  const { acquirer_owes } = await operatorJson(service, ["reconcile"]);
  assert.deepEqual(
    acquirer_owes.map((one: { amount: string }) => one.amount),
    ["0.00", "0.00", "0.00"],
  );
  await expectBooksToBalance(service.ctx.db);
});
