/**
 * A refund is asked for once, for at most what is left, only of what was paid and only by its
 * merchant; the funds are held at once. A refusal changes nothing (Interface §4.5, Decision 0029).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  newPayment,
  openShop,
  pay,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";
import {
  askRefund,
  expectAllToAddUp,
  fundsOf,
  journal,
  paidOrder,
  refundOf,
  refundRow,
  told,
} from "./refund-support.ts";

const MESSAGE = "Refund request successfully created.";

describe("asking for a refund", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(async () => {
    try {
      await expectAllToAddUp(service);
    } finally {
      await service.stop();
    }
  });

  const countRefunds = async () =>
    (await service.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from refunds`)).n;

  const countJobs = async () =>
    (
      await service.ctx.db.one<{ n: number }>(
        sql`select count(*)::int as n from graphile_worker.jobs`,
      )
    ).n;

  test("without a body asks for all that the customer paid, and holds it before anything is sent", async () => {
    const order = await paidOrder(service);
    const answer = await askRefund(service, order);
    assert.equal(answer.status, 201);
    const { refund } = answer.body.data;
    assert.deepEqual(answer.body, {
      message: MESSAGE,
      data: {
        refund: {
          refund_id: refund.refund_id,
          transaction_id: order.id,
          environment: "live",
          currency: "TTD",
          amount: "105.20",
          reason: null,
          status: "requested",
          created_at: refund.created_at,
        },
      },
    });
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
    assert.equal(await told(service, order), "Refund Requested, 0.00");
    assert.deepEqual(await journal(service, order.id), []);
    const entry = await service.ctx.db.one(sql`
      select action, actor from audit_entries where account_number = ${order.shop.accountNumber}
        and detail ->> 'refund_id' = ${refund.refund_id}`);
    assert.deepEqual(entry, {
      action: "refund_requested",
      actor: `account ${order.shop.accountNumber}`,
    });
  });

  test("takes amount and reason as JSON and as a form, numbers and texts alike", async () => {
    const order = await paidOrder(service);
    const json = await askRefund(service, order, { amount: 10.5, reason: "Wrong size.\nSorry." });
    assert.equal(json.body.data.refund.amount, "10.50");
    assert.equal(json.body.data.refund.reason, "Wrong size.\nSorry.");
    const form = await service.request(`/transactions/${order.id}/refund/`, {
      method: "POST",
      token: order.shop.token,
      form: { amount: "4.70", reason: "" },
    });
    assert.equal(form.body.data.refund.amount, "4.70");
    assert.equal(form.body.data.refund.reason, null);
    const rest = await askRefund(service, order, {});
    assert.equal(rest.body.data.refund.amount, "90.00");
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
  });

  test("with a test key asks for refunds of the sandbox, whose books are its own", async () => {
    const order = await paidOrder(service, { environment: "sandbox" });
    const { key } = await mintKey(service.ctx, order.shop, ["svc-transactions-refund-request"]);
    const path = `/transactions/${order.id}/refund`;
    const answer = await service.request(path, { method: "POST", key });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.data.refund.environment, "sandbox");
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
  });

  test("with an Idempotency-Key has its effect once and its answer twice", async () => {
    const order = await paidOrder(service);
    const headers = { "idempotency-key": `refund-${order.id}` };
    const first = await askRefund(service, order, { amount: 30 }, headers);
    const again = await askRefund(service, order, { amount: "30.00" }, headers);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.deepEqual(again.body, first.body);
    const other = await askRefund(service, order, { amount: 31 }, headers);
    assert.equal(other.status, 422);
    assert.equal(await fundsOf(service, order), "1070.00 + 30.00");
  });

  const badFields: [string, Record<string, unknown>, string][] = [
    ["zero", { amount: 0 }, "The amount must be greater than 0."],
    ["zero as text", { amount: "0.00" }, "The amount must be greater than 0."],
    ["below zero", { amount: -5 }, "The amount must not be negative."],
    [
      "three decimals",
      { amount: 1.005 },
      "The amount must be a number with at most 2 decimal places.",
    ],
    [
      "a power of ten",
      { amount: "1e1" },
      "The amount must be a number with at most 2 decimal places.",
    ],
    ["words", { amount: "all" }, "The amount must be a number with at most 2 decimal places."],
    ["a list", { amount: [5] }, "The amount must be a number with at most 2 decimal places."],
    [
      "a long reason",
      { reason: "x".repeat(256) },
      "The reason must not be longer than 255 characters.",
    ],
    ["a reason that is no text", { reason: 5 }, "The reason must be a string."],
    ["an unseen character", { reason: "a\u202eb" }, "The reason format is invalid."],
    [
      "both: the first speaks",
      { amount: 0, reason: "x".repeat(256) },
      "The amount must be greater than 0.",
    ],
  ];
  for (const [what, fields, message] of badFields)
    test(`${what}: 400, and nothing is held`, async () => {
      const order = await paidOrder(service);
      const before = await countRefunds();
      const path = `/transactions/${order.id}/refund`;
      const asked = { method: "POST", token: order.shop.token };
      const answers = [await service.request(path, { ...asked, json: fields })];
      const isPlain = Object.values(fields).every((value) => !Array.isArray(value));
      if (isPlain && what !== "a reason that is no text") {
        const form = Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, String(v)]));
        answers.push(await service.request(path, { ...asked, form }));
      }
      for (const { status, body } of answers) {
        assert.equal(status, 400);
        assert.deepEqual(body, { message });
      }
      assert.equal(await countRefunds(), before);
      assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
    });

  test("of what was not paid: 409", async () => {
    const shop = await openShop(service);
    for (const [result, message] of [
      [undefined, "The transaction cannot be refunded: its status is incomplete."],
      [DECLINED, "The transaction cannot be refunded: its status is failed."],
      [TIMED_OUT, "The transaction cannot be refunded: its status is error."],
    ] as const) {
      const { transaction_id: id } = await pay(service, newPayment(shop), result);
      const answer = await askRefund(service, { shop, id });
      assert.equal(answer.status, 409);
      assert.deepEqual(answer.body, { message });
    }
  });

  test("of somebody else's, an unknown one or one out of the key's reach: 404", async () => {
    const live = await paidOrder(service);
    const stranger = await openShop(service);
    const before = await countRefunds();
    const { key } = await mintKey(service.ctx, live.shop, ["svc-transactions-all"]);
    const asked = [
      askRefund(service, { shop: stranger, id: live.id }),
      askRefund(service, { shop: live.shop, id: `TT-${"0".repeat(26)}` }),
      askRefund(service, { shop: live.shop, id: "fees" }),
      askRefund(service, { shop: live.shop, id: "%00" }),
      service.request(`/transactions/${live.id}/refund`, { method: "POST", key }),
    ];
    for (const { status, body } of await Promise.all(asked)) {
      assert.equal(status, 404);
      assert.deepEqual(body, { message: "Not Found" });
    }
    assert.equal(await countRefunds(), before);
  });

  test("with a token that may only read: 403", async () => {
    const { shop, id } = await paidOrder(service);
    const { token } = await mintToken(service.ctx, shop, ["svc-transactions-retrieve"]);
    const answer = await service.request(`/transactions/${id}/refund`, { method: "POST", token });
    assert.equal(answer.status, 403);
  });

  test("above what is left: 422 that tells what is left; when nothing is: 422", async () => {
    const order = await paidOrder(service);
    const refused = await askRefund(service, order, { amount: "105.21" });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body, {
      message: "The amount is more than is left to refund: 105.20 TTD.",
    });
    await refundOf(service, order, "100.00");
    const above = await askRefund(service, order, { amount: "5.21" });
    assert.equal(above.body.message, "The amount is more than is left to refund: 5.20 TTD.");
    await refundOf(service, order, "5.20");
    for (const json of [undefined, {}, { amount: "0.01" }]) {
      const none = await askRefund(service, order, json);
      assert.equal(none.status, 422);
      assert.deepEqual(none.body, { message: "Nothing is left to refund." });
    }
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
  });

  test("with too little money: 422, nothing is held and the words stay", async () => {
    const order = await paidOrder(service, { funds: "none" });
    const jobs = await countJobs();
    const answer = await askRefund(service, order);
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body, { message: "Insufficient funds." });
    assert.equal(await fundsOf(service, order), "100.00 + 0.00");
    assert.equal(await told(service, order), "Normal, 0.00");
    assert.equal(await countJobs(), jobs);
    await refundOf(service, order, "100.00");
    assert.equal(await countJobs(), jobs + 1);
    assert.equal(await fundsOf(service, order), "0.00 + 100.00");
  });

  test("live where no live gateway is configured: 409 that says so; the sandbox goes on", async () => {
    const bare = await startService({
      settings: { LIVE_GATEWAY: "none" },
      database: service.database,
    });
    try {
      const shop = await openShop(bare);
      const live = await paidOrder(bare, { shop });
      const answer = await askRefund(bare, live);
      assert.equal(answer.status, 409);
      assert.deepEqual(answer.body, {
        message: "Live transactions cannot be refunded: no live gateway is configured.",
      });
      assert.equal(await fundsOf(bare, live), "1100.00 + 0.00");
      await refundOf(bare, await paidOrder(bare, { shop, environment: "sandbox" }));
    } finally {
      await bare.stop();
    }
  });

  test("once asked for, it is an intent whose first try is due, and other payments are untouched", async () => {
    const order = await paidOrder(service);
    const row = await refundRow(service, await refundOf(service, order, "1.00"));
    assert.equal(row.state, "requested");
    assert.equal(row.attempt_count, 0);
    assert.equal(row.ended_at, null);
    assert(row.next_try_at !== null);
    assert.equal((await pay(service, newPayment(order.shop), APPROVED)).refunded_minor, 0n);
  });
});
