/**
 * One transaction is shown whole to whom it belongs, and does not exist for anybody else (Interface
 * §2.6, Decision 0026).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
});
after(() => service.stop());

const read = (id: string, credential: { token: string } | { key: string }, query = "") => {
  const { token, key } = { token: undefined, key: undefined, ...credential };
  return service.request(`/transactions/${id}${query}`, {
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { key }),
  });
};

describe("GET /transactions/{transaction_id}", () => {
  test("shows a payment that succeeded, in this shape and no other", async () => {
    const passThrough = `{"cart": "</script> \u202e 👍"}`;
    const payment = newPayment(shop, {
      orderId: "shown-1",
      feeStructure: "split",
      details: { data: passThrough },
      order: {
        language: "fr",
        description: "Two <b>books</b>",
        items: [
          { name: "Paperback", quantity: 2, unit_price_minor: 5_025 },
          { name: "Voucher", quantity: 1, unit_price_minor: -50 },
        ],
      },
    });
    const row = await pay(service, payment, APPROVED);
    const { status, body } = await read(row.transaction_id, shop);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      message: "OK",
      data: {
        transaction_id: row.transaction_id,
        order_id: "shown-1",
        environment: "live",
        country_code: "TT",
        currency: "TTD",
        total: "100.00",
        customer_total: "102.60",
        fee: "5.20",
        net: "97.40",
        fee_structure: "split",
        method: "credit_card_co",
        origin: "shop",
        status: "success",
        status_desc: "Normal",
        message: "[1-R00]: Transaction is approved.",
        card: "visa **** 1111",
        checks: { avs: null, cvv: null },
        customer: { email: "anika@example.com", fname: "Anika", lname: "Mohammed" },
        data: passThrough,
        language: "fr",
        description: "Two <b>books</b>",
        items: [
          { name: "Paperback", quantity: 2, unit_price: "50.25" },
          { name: "Voucher", quantity: 1, unit_price: "-0.50" },
        ],
        payment_link: null,
        link_reference: null,
        refunded_total: "0.00",
        created_at: row.created_at.toISOString(),
        finalised_at: row.finalised_at?.toISOString(),
      },
    });
    assert.match(row.transaction_id, /^TT-[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test("shows one that is under way without a result", async () => {
    const row = await pay(service, newPayment(shop, { origin: null, customer: {} }));
    const { data } = (await read(row.transaction_id, shop)).body;
    const { status, message, card, finalised_at, origin, customer } = data;
    assert.deepEqual(
      { status, message, card, finalised_at, origin, customer },
      {
        status: "incomplete",
        message: null,
        card: null,
        finalised_at: null,
        origin: null,
        customer: {},
      },
    );
    assert.equal(data.data, "");
    assert.deepEqual([data.language, data.description, data.items], [null, null, null]);
  });

  test("is 404 for every id that is not the caller's", async () => {
    const row = await pay(service, newPayment(await openShop(service)));
    const other = row.transaction_id;
    const own = (await pay(service, newPayment(shop))).transaction_id;
    const strange = [other, own.toLowerCase(), `SB-${own}`, own.slice(0, -1), `${own}0`, "x"];
    for (const id of [...strange, "0".repeat(18), "..%2F", "%27%20or%201=1", "%E2%80%AE", "%00"])
      for (const query of ["", "?environment=live", "?environment=sandbox"]) {
        const answer = await read(id, shop, query);
        assert.deepEqual([answer.status, answer.body], [404, { message: "Not Found" }], id);
      }
    assert.equal((await read("A".repeat(100), shop)).status, 404);
  });

  test("reaches both environments with a token, because the id names its own", async () => {
    const row = await pay(service, newPayment(shop, { environment: "sandbox" }));
    assert.match(row.transaction_id, /^SB-TT-/);
    const { transaction_id: id } = row;
    for (const query of ["", "?environment=sandbox"])
      assert.equal((await read(id, shop, query)).status, 200);
    assert.equal((await read(id, shop, "?environment=live")).status, 404);
  });

  test("reaches its own environment only with a key", async () => {
    const live = (await pay(service, newPayment(shop))).transaction_id;
    const sandbox = (await pay(service, newPayment(shop, { environment: "sandbox" })))
      .transaction_id;
    const scopes = ["svc-transactions-retrieve"] as const;
    const testKey = await mintKey(service.ctx, shop, scopes, { prefix: "test" });
    const liveKey = await mintKey(service.ctx, shop, scopes, { prefix: "live" });
    assert.equal((await read(sandbox, { key: testKey.key })).status, 200);
    assert.equal((await read(live, { key: testKey.key })).status, 404);
    assert.equal((await read(live, { key: liveKey.key })).status, 200);
    assert.equal((await read(sandbox, { key: liveKey.key })).status, 404);
    const named = await read(live, { key: testKey.key }, "?environment=live");
    assert.deepEqual(
      [named.status, named.body.message],
      [400, "The environment must be sandbox with this API key."],
    );
  });

  test("tells each of many at once its own, and nobody another's", async () => {
    const shops = [shop, await openShop(service), await openShop(service)];
    const own = await Promise.all(
      shops.map(async (one) => {
        const made = (environment: "live" | "sandbox") =>
          pay(service, newPayment(one, { environment }));
        return { live: await made("live"), sandbox: await made("sandbox") };
      }),
    );
    const asked = shops.flatMap((who, at) =>
      own.flatMap(({ live, sandbox }, of) =>
        [
          { id: live.transaction_id, query: "", fits: true },
          { id: live.transaction_id, query: "?environment=sandbox", fits: false },
          { id: sandbox.transaction_id, query: "?environment=sandbox", fits: true },
          { id: sandbox.transaction_id, query: "?environment=live", fits: false },
        ].map(({ id, query, fits }) => ({ who, id, query, status: fits && at === of ? 200 : 404 })),
      ),
    );
    const answers = await Promise.all(
      [...asked, ...asked].map(({ who, id, query }) => read(id, who, query)),
    );
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.data?.transaction_id]),
      [...asked, ...asked].map(({ id, status }) => [status, status === 200 ? id : undefined]),
    );
  });

  test("shares statements with others of the moment, so that many take few connections", async () => {
    const { transaction_id: transactionId } = await pay(service, newPayment(shop));
    const { ctx } = service;
    const wanted = { transactionId, accountNumber: shop.accountNumber, environment: undefined };
    let taken = 0;
    const count = () => void taken++;
    ctx.db.pool.on("acquire", count);
    const reading = Array.from({ length: 100 }, () => ctx.readTransaction(wanted));
    const rows = await Promise.all(reading);
    ctx.db.pool.off("acquire", count);
    assert.deepEqual(new Set(rows.map(({ transaction_id }) => transaction_id)).size, 1);
    assert.equal(taken, 1);
  });

  test("shows what was answered a moment before, also under concurrent reads", async () => {
    const { transaction_id: id } = await pay(service, newPayment(shop));
    for (let at = 1; at <= 10; at++) {
      const others = Array.from({ length: 5 }, () => read(id, shop));
      const { transaction_id: made } = await pay(service, newPayment(shop));
      assert.equal((await read(made, shop)).status, 200);
      await Promise.all(others);
    }
  });

  test("is not asked for fees and meta, with a slash or without", async () => {
    for (const path of ["/transactions/meta", "/transactions/meta/"])
      assert.equal((await service.request(path, { token: shop.token })).status, 200);
    for (const path of ["/transactions/fees", "/transactions/fees/"]) {
      const answer = await service.request(path, { token: shop.token });
      assert.equal(answer.body.message, "The fee structure field is required.");
    }
  });

  test("sends no body to HEAD", async () => {
    const { transaction_id: id } = await pay(service, newPayment(shop));
    const answer = await service.request(`/transactions/${id}`, {
      method: "HEAD",
      token: shop.token,
    });
    assert.deepEqual([answer.status, answer.text], [200, ""]);
  });
});
