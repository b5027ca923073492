/**
 * The guarantee: every outcome that the state of a payment does not allow is a 409 that names the
 * states which would, and changes no row; and live, foreign and unknown ones are 404 (Decision
 * 0102).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SCOPES } from "../../../src/kit/scopes.ts";
import {
  PAYMENT_OUTCOMES,
  type PaymentOutcome,
} from "../../../src/modules/sandbox-controls/payment-outcomes.ts";
import { fund } from "../../../testkit/books.ts";
import { expectAllToAddUp, type Order } from "../../../testkit/checkout-sessions.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { tableDigests } from "../../../testkit/row-counts.ts";
import { startService } from "../../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../../testkit/transactions.ts";
import {
  happens,
  paymentThatIs,
  type Scene,
  STATES,
  type State,
  simulate,
} from "./payment-states.ts";

const service = await startService();
const { ctx } = service;
const shop = await openShop(service);
const scene: Scene = { service, shop };
await fund(ctx.db, shop.accountNumber, "100000.00 TTD", "sandbox");
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const END: readonly PaymentOutcome[] = ["approve", "decline", "expire"];
const REFUND: readonly PaymentOutcome[] = ["refund_accepted", "refund_rejected"];
const DISPUTE: readonly PaymentOutcome[] = ["chargeback_pending", "fraud_confirmed"];
const DISPUTED: readonly PaymentOutcome[] = ["chargeback_processed", "chargeback_released"];

/** What each state allows, and how a refusal names it. */
const ALLOWED: Readonly<Record<State, readonly [readonly PaymentOutcome[], string]>> = {
  created: [END, "incomplete"],
  "card declined": [END, "incomplete"],
  "challenge open": [END, "incomplete"],
  "gateway down": [END, "incomplete"],
  "outcome unknown": [END, "incomplete"],
  paid: [DISPUTE, "success, Normal"],
  failed: [[], "failed"],
  "never answered": [[], "error"],
  "refund under way": [
    [...REFUND, "chargeback_pending"],
    "success, Refund Requested, with a refund under way",
  ],
  "refund of all under way": [
    REFUND,
    "success, Refund Requested, with a refund under way and nothing left",
  ],
  "refunded in part": [DISPUTE, "success, Refunded"],
  refunded: [["fraud_confirmed"], "success, Refunded, with nothing left"],
  "refund rejected": [DISPUTE, "success, Refund Rejected"],
  disputed: [[...DISPUTED, "fraud_confirmed"], "success, Chargeback Pending"],
  "disputed beside a refund": [
    [...REFUND, ...DISPUTED],
    "success, Chargeback Pending, with a refund under way",
  ],
  "charged back": [[], "success, Chargeback Processed"],
  "charged back beside a refund": [
    REFUND,
    "success, Chargeback Processed, with a refund under way",
  ],
  "dispute released": [DISPUTE, "success, Normal"],
  fraud: [[], "success, Fraud Confirmed"],
};

const REFUND_UNDER_WAY =
  "Refund Requested, Chargeback Pending with a refund under way, " +
  "or Chargeback Processed with a refund under way";
const NEEDS: Readonly<Record<PaymentOutcome, string>> = {
  approve: "incomplete",
  decline: "incomplete",
  expire: "incomplete",
  refund_accepted: REFUND_UNDER_WAY,
  refund_rejected: REFUND_UNDER_WAY,
  chargeback_pending:
    "Normal, Refund Rejected, Refund Requested with a part left, or Refunded with a part left",
  chargeback_processed: "Chargeback Pending",
  chargeback_released: "Chargeback Pending",
  fraud_confirmed:
    "Normal, Refunded, Refund Rejected, or Chargeback Pending without a refund under way",
};

const unchanged = async (work: () => Promise<void>) => {
  const before = await tableDigests(ctx.db);
  await work();
  assert.deepEqual(await tableDigests(ctx.db), before);
};

for (const state of Object.keys(STATES) as State[]) {
  const [allowed, named] = ALLOWED[state];

  describe(`a payment that is ${state}`, () => {
    test("refuses every other outcome, names the states that would do, changes nothing", async () => {
      const order = await paymentThatIs(scene, state);
      await unchanged(async () => {
        for (const outcome of PAYMENT_OUTCOMES.filter((one) => !allowed.includes(one))) {
          const answer = await simulate(scene, order, { outcome });
          assert.equal(answer.status, 409, answer.text);
          assert.equal(
            answer.body.message,
            `The outcome ${outcome} can be simulated while the state is ${NEEDS[outcome]}: ` +
              `the payment is ${named}.`,
          );
        }
      });
    });

    for (const outcome of allowed)
      test(`allows ${outcome}, once`, async () => {
        const order = await paymentThatIs(scene, state);
        // The bank of this card has approved it, and only has not said so.
        if (state === "outcome unknown" && outcome === "decline") return expectDecided(order);
        await happens(scene, order, { outcome });
        // Several refunds of one payment may be under way; here there is one.
        assert.equal((await simulate(scene, order, { outcome })).status, 409);
      });
  });
}

async function expectDecided(order: Order): Promise<void> {
  await unchanged(async () => {
    const answer = await simulate(scene, order, { outcome: "decline" });
    assert.deepEqual(
      [answer.status, answer.body.message],
      [
        409,
        "The outcome decline cannot be simulated any more: the bank has already approved it (00).",
      ],
    );
  });
}

describe("nothing is simulated of", () => {
  const expectNotFound = async (id: string, by: object) =>
    unchanged(async () => {
      for (const outcome of PAYMENT_OUTCOMES) {
        const answer = await service.request(`/sandbox/transactions/${id}/simulate`, {
          method: "POST",
          json: { outcome },
          ...by,
        });
        assert.deepEqual([answer.status, answer.body], [404, { message: "Not Found" }]);
      }
    });

  test("a live payment, by a token or by a key of either environment", async () => {
    const live = await pay(service, newPayment(shop), APPROVED);
    await expectNotFound(live.transaction_id, { token: shop.token });
    for (const prefix of ["live", "test"] as const) {
      const { key } = await mintKey(ctx, shop, SCOPES, { prefix });
      await expectNotFound(live.transaction_id, { key });
    }
  });

  test("a sandbox payment by a live key, or of another merchant", async () => {
    const { id } = await paymentThatIs(scene, "paid");
    const { key } = await mintKey(ctx, shop, SCOPES, { prefix: "live" });
    await expectNotFound(id, { key });
    await expectNotFound(id, { token: (await openShop(service)).token });
  });

  test("a payment without the scope of all", async () => {
    const { id } = await paymentThatIs(scene, "created");
    const others = SCOPES.filter((scope) => scope !== "svc-transactions-all");
    const { token } = await mintToken(ctx, shop, others);
    const answer = await simulate({ service, shop: { ...shop, token } }, { id }, { outcome: "x" });
    assert.equal(answer.status, 403);
  });
});

test("a key of the sandbox simulates, and the same request again has one effect", async () => {
  const { key } = await mintKey(ctx, shop, ["svc-transactions-all"], { prefix: "test" });
  const order = await paymentThatIs(scene, "created");
  const send = () =>
    service.request(`/sandbox/transactions/${order.id}/simulate`, {
      method: "POST",
      key,
      json: { outcome: "approve" },
      headers: { "idempotency-key": "once" },
    });
  const [first, second] = [await send(), await send()];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
});
