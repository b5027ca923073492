/**
 * The guarantee: an acquirer that does not answer ten times in a row counts as down. Then nothing
 * is sent, customers are answered at once, `/readyz` stays 200 and says so, one alarm is raised;
 * and with its first answer everything that waits is due at once.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { askLiveNow } from "../../../src/modules/checkout/session/ask-gateway.ts";
import { createPowertranz } from "../../../src/modules/gateway/powertranz/powertranz.ts";
import { createRouter } from "../../../src/modules/gateway/route-orders.ts";
import { settleLiveNow } from "../../../src/modules/transactions/settle-refunds.ts";
import { returnLiveNow } from "../../../src/modules/trusted-cards/return-check.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { sweep } from "../../../testkit/checkout-sessions.ts";
import { postBack } from "../../../testkit/powertranz/post-back.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { returnOf, saveCard, tidyUp, verify } from "../../../testkit/trusted-cards.ts";
import { until } from "../../../testkit/until.ts";
import { openLive, recordOf, submitOver, visitBank } from "./http-support.ts";
import {
  alarmsOf,
  newSale,
  paid,
  pay,
  problemCount,
  refundOf,
  startLive,
  VISA,
} from "./support.ts";

const PROBE_MS = 50;
const live = await startLive();
const { service, fake } = live;
const { config } = service.ctx;
assert(config.powertranz !== undefined);
const adapter = createPowertranz(service.ctx, config.powertranz, { probeEveryMs: PROBE_MS });
const gateway = createRouter(service.ctx.db, new Map([["powertranz", adapter]]), "powertranz");
const real = service.ctx.gateways.live;
before(() => Object.assign(service.ctx.gateways, { live: gateway }));
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await real?.stop();
  await live.close();
});

const states = async () => {
  const { status, body } = await service.request("/readyz");
  assert.equal(status, 200);
  return body.gateways;
};

async function breakDown(): Promise<void> {
  await fake.control.fault({ kind: "502-before", times: "always" });
  for (let at = 0; at < 10; at++) {
    assert.equal(gateway.state(), "up");
    assert.deepEqual(await gateway.sale(newSale()), { outcome: "not taken" });
  }
  assert.equal(gateway.state(), "down");
}

async function recover(): Promise<void> {
  await fake.control.send({ clearFaults: true });
  await until(async () => gateway.state() === "up", "it is up again");
}

describe("an acquirer that does not answer", () => {
  test("is down after ten failures in a row, and not after nine and an answer", async () => {
    await fake.control.fault({ kind: "502-before", endpoint: "spi/sale", times: 9 });
    for (let at = 0; at < 9; at++) await gateway.sale(newSale());
    assert.equal((await gateway.sale(newSale())).outcome, "challenge");
    await fake.control.fault({ kind: "502-before", endpoint: "spi/sale", times: 9 });
    for (let at = 0; at < 9; at++) await gateway.sale(newSale());
    assert.deepEqual(await states(), { live: "up", sandbox: "up" });
    assert.equal((await gateway.sale(newSale())).outcome, "challenge");
  });

  test("raises one alarm, refuses orders without a call, and is up with its first answer", async () => {
    const sale = await paid({ ...live, gateway });
    const [lines, counted] = [alarmsOf(live).length, await problemCount("unreachable")];
    await breakDown();
    assert.deepEqual(await states(), { live: "down", sandbox: "up" });
    assert.equal(alarmsOf(live).length, lines + 1);
    assert.match(alarmsOf(live).at(-1) ?? "", /the acquirer is down/);
    assert.equal(await problemCount("unreachable"), counted + 1);
    const sent = (await fake.control.calls("spi/sale")).length;
    assert.deepEqual(await gateway.sale(newSale()), { outcome: "not taken" });
    await assert.rejects(gateway.refund(refundOf(sale, 100n)), /does not answer/);
    assert.equal((await fake.control.calls("spi/sale")).length, sent);
    await until(
      async () => (await fake.control.calls("alive")).length > 1,
      "it is asked whether it is alive",
    );
    assert.equal(gateway.state(), "down");
    assert.equal(alarmsOf(live).length, lines + 1);

    let ups = 0;
    gateway.onUp(() => {
      ups += 1;
    });
    await recover();
    assert.equal(ups, 1);
    assert.deepEqual(await states(), { live: "up", sandbox: "up" });
    assert.equal((await pay({ ...live, gateway }, newSale())).outcome, "approved");
  });

  test("answers a customer at once, with a page that says that nothing was charged", async () => {
    await breakDown();
    const order = await openLive(live);
    const page = await submitOver(service, order);
    assert.match(page.text, /Cards cannot be charged at the moment/);
    await recover();
    assert.equal((await submitOver(service, order, { attempts: "1" })).status, 303);
    await postBack(await visitBank(service, order));
    assert.equal((await recordOf(service, order)).status, "success");
  });
});

test("what waited for it is due at once when it is back", async () => {
  const [undecided, refunded] = [await openLive(live), await openLive(live)];
  await submitOver(service, refunded);
  await postBack(await visitBank(service, refunded));
  const card = await saveCard(service, { environment: "live", number: VISA });

  await submitOver(service, undecided);
  const played = await visitBank(service, undecided);
  await fake.control.fault({ kind: "cut-after", endpoint: "spi/payment" });
  await fake.control.fault({ kind: "502-before", times: "always" });
  await postBack(played);
  await service.request(`/transactions/${refunded.id}/refund`, {
    method: "POST",
    token: refunded.shop.token,
    json: { amount: 100, reason: "Sent back." },
  });
  assert.equal((await verify(service, card, card.amount)).status, 200);
  await sweepRefunds(service.ctx);
  await tidyUp(service);
  // As if it had been away for long: the next questions are hours off.
  const hours = sql`app_now() + interval '1 hour'`;
  await service.ctx.db.run(sql`
    update checkout_attempts set next_ask_at = ${hours} where next_ask_at is not null`);
  await service.ctx.db.run(sql`
    update refunds set next_try_at = ${hours} where next_try_at is not null`);
  await service.ctx.db.run(sql`
    update card_checks set next_return_at = ${hours} where next_return_at is not null`);

  gateway.onUp(() => {
    hurried = Promise.all([
      askLiveNow(service.ctx),
      settleLiveNow(service.ctx),
      returnLiveNow(service.ctx),
    ]);
  });
  let hurried: Promise<unknown> | undefined;
  while (gateway.state() === "up") await gateway.sale(newSale());
  await recover();
  await hurried;
  assert(hurried !== undefined);
  await service.clock.advance({ seconds: 121 });
  await sweep(service);
  await sweepRefunds(service.ctx);
  await tidyUp(service);
  assert.equal((await recordOf(service, undecided)).status, "success");
  assert.equal((await recordOf(service, refunded)).refunded_total, "100.00");
  assert.equal(await returnOf(service, card), "returned");
});
