/**
 * Changed requests for one order, cards, the end of the time and customers who go back, all at the
 * same moment and over two services: at most one payment of the order is paid, nothing is left
 * undecided, and nobody is answered 5xx (Decision 0065).
 */

import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { lockOrder, openCheckout } from "../../../src/modules/checkout/request/known-orders.ts";
import type { PaymentRequest } from "../../../src/modules/checkout/request/payment-request.ts";
import type { CheckoutContext } from "../../../src/modules/checkout/session/context.ts";
import { giveUp } from "../../../src/modules/checkout/session/end-sessions.ts";
import { submitCard } from "../../../src/modules/checkout/session/submit-card.ts";
import {
  ADDRESS,
  CARDS,
  expectAllToAddUp,
  journal,
  look,
  type Order,
  openOrder,
  payment,
  submit,
  sweep,
  told,
  withWaiting,
} from "../../../testkit/checkout-sessions.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { ask, type Fields, minimal } from "../../../testkit/payment-requests.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { newPayment, openShop } from "../../../testkit/transactions.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, sibling, atOnce } = await startTwoServices();
const { db } = service.ctx;
const shop = await openShop(service);
afterEach(() => expectAllToAddUp(service));

const APPROVED = "success, [1-R00]: Transaction is approved.";
const REPLACED = "failed, [3-R97]: Replaced by a newer request.";
const TIMED_OUT = "failed, [3-R98]: Transaction timed out.";
const GIVEN_UP = "failed, [2-R17]: The customer went back without paying.";
const OPEN = "incomplete, null";
const TAKEN = "The order id is already being paid or has been paid.";

const here = () => minimal(shop.accountNumber);
const orderOf = ({ body }: TestAnswer): Order => ({
  id: body.transaction_id,
  token: body.url.split("/").at(-1),
  shop,
});

/** Refused or opened, and never anything else. */
function openedBy(answers: readonly TestAnswer[]): Order[] {
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) assert.deepEqual([status, body.message], [400, TAKEN]);
  return answers.filter(({ status }) => status === 200).map(orderOf);
}

interface End {
  readonly end: string;
  readonly status: string;
  readonly events: readonly string[];
  readonly tried: readonly string[];
}

/** How every payment of the order ended: its events are complete, and no card is undecided. */
async function endsOf({ order_id: orderId }: Fields): Promise<string[]> {
  await service.numberEvents();
  const rows = await db.rows<End & Record<string, unknown>>(sql`
    select status || ', ' || coalesce(message, 'null') as end, status,
      array(select event from events where resource = transaction_id order by sequence) as events,
      array(select state from checkout_attempts as attempt
        where attempt.transaction_id = payment.transaction_id) as tried
    from transactions as payment where order_id = ${String(orderId)}`);
  for (const { end, status, events, tried } of rows) {
    const last = status === "incomplete" ? [] : [`payment.${status}`];
    assert.deepEqual(events, ["payment.created", ...last], end);
    assert.deepEqual(tried, status === "success" ? ["approved"] : [], end);
  }
  const ends = rows.map(({ end }) => end);
  assert(ends.filter((end) => end === APPROVED).length <= 1, ends.join());
  return ends;
}

/** A card as one reader of the page sends it, whatever happens to the page meanwhile. */
async function pay(one: TestService, order: Order): Promise<void> {
  const address = `203.0.113.${randomInt(1, 255)}`;
  await submit(one, order, CARDS.approved, { seenAttempts: 0, address });
}

/** Holds once so many have passed through `count`. */
function afterSome(many: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  if (many === 0) resolve();
  const count = <T>(one: T): T => {
    seen += 1;
    if (seen === many) resolve();
    return one;
  };
  return { passed: promise, count };
}

describe("32 changed requests at once", () => {
  for (const keyed of [false, true])
    test(`as a customer pays the older page${keyed ? ", each under a key" : ""}`, async () => {
      for (let round = 0; round < 6; round++) {
        const fields = here();
        const older = orderOf(await ask(service, fields));
        const some = afterSome(round % 2 ? 0 : randomInt(1, 32));
        const paying = some.passed.then(() => pay(sibling, older));
        const answers = await atOnce(32, async (one, turn) => {
          const headers = keyed ? { "idempotency-key": randomUUID() } : {};
          const changed = { ...fields, data: `cart ${turn}` };
          return some.count(await ask(one, changed, "json", { headers }));
        });
        await paying;
        const opened = openedBy(answers);
        const ends = await endsOf(fields);
        assert.equal(ends.length, 1 + opened.length);
        const isPaid = (await told(service, older)) === APPROVED;
        assert.equal(opened.length, isPaid ? 0 : 32);
        if (!isPaid) assert.equal(ends.filter((end) => end === REPLACED).length, 32);
      }
    });

  test("as customers pay every page that opens: one is paid, the others were replaced", async () => {
    for (let round = 0; round < 4; round++) {
      const fields = here();
      const answers = await atOnce(32, async (one, turn) => {
        const answer = await ask(one, { ...fields, data: `cart ${turn}` });
        if (answer.status === 200 && turn % 3 === 0) await pay(one, orderOf(answer));
        return answer;
      });
      const opened = openedBy(answers);
      const ends = await endsOf(fields);
      assert.equal(ends.length, opened.length);
      const live = ends.filter((end) => end !== REPLACED);
      assert.equal(live.length, 1, live.join());
    }
  });

  test("as the time ends and the customer goes back: no circle of waiting", async () => {
    for (let round = 0; round < 4; round++) {
      const fields = here();
      const older = orderOf(await ask(service, fields));
      const session = await look(service, older);
      await db.run(sql`
        update checkout_sessions set expires_at = app_now() + make_interval(secs => ${round / 50})
        where transaction_id = ${older.id}`);
      const [answers] = await Promise.all([
        atOnce(16, (one, turn) => ask(one, { ...fields, data: `cart ${turn}` })),
        ...[service, sibling].map((one) => sweep(one)),
        ...(round % 2 ? [giveUp(sibling.ctx, session)] : []),
        pay(service, older),
      ]);
      openedBy(answers);
      const ends = await endsOf(fields);
      const known = [REPLACED, TIMED_OUT, GIVEN_UP, APPROVED, OPEN];
      assert(
        ends.every((end) => known.includes(end)),
        ends.join(),
      );
    }
  });

  test("do not hold up requests for other orders", async () => {
    const fields = here();
    await ask(service, fields);
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // One of the requests in each process waits for this lock, and the others in its queue.
    const holding = db.transaction(async (tx) => {
      await lockOrder(tx, requestOf(String(fields.order_id)));
      held.resolve();
      await goOn.promise;
    });
    await held.promise;
    const changing = atOnce(32, (one, turn) => ask(one, { ...fields, data: `cart ${turn}` }));
    try {
      await untilWaiting(db, 2);
      const others = await atOnce(32, (one) => ask(one, here()));
      assert.equal(openedBy(others).length, 32);
    } finally {
      goOn.resolve();
    }
    await holding;
    assert.equal(openedBy(await changing).length, 32);
  });
});

describe("a card and a changed request at the same moment", () => {
  test("the card holds the session first: the request is refused and the card is charged", async () => {
    const fields = here();
    const older = orderOf(await ask(service, fields));
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const paying = submitCard(
      {
        ...service.ctx,
        // An attempt that waits for locks can be stopped while it holds the session.
        batches: withWaiting(service.ctx, service.ctx.batches),
        async failpoint(step) {
          if (step !== "submit: session held") return;
          held.resolve();
          await goOn.promise;
        },
      },
      {
        session: await look(service, older),
        pageUrl: "https://pay.example.com/checkout/x",
        form: { number: CARDS.approved, expiry: "12/39", cvv: "739", holder: "Maya Joseph" },
        language: "en",
        seenAttempts: 0,
        address: ADDRESS,
      },
    );
    await held.promise;
    const asking = ask(sibling, { ...fields, total: "80.00" });
    await untilWaiting(db);
    goOn.resolve();
    await paying;
    assert.deepEqual(openedBy([await asking]), []);
    assert.deepEqual(await endsOf(fields), [APPROVED]);
  });

  test("the request holds it first: the card finds the end, and the gateway is not called", async () => {
    const older = await openOrder(service, { shop });
    const { order_id: orderId } = await payment(service, older);
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const ctx: CheckoutContext = {
      ...sibling.ctx,
      async failpoint(step) {
        if (step !== "replace: older ended") return;
        held.resolve();
        await goOn.promise;
      },
    };
    const asking = db.transaction((tx) => openCheckout(ctx, tx, requestOf(orderId)));
    await held.promise;
    const paying = submit(service, older, CARDS.approved);
    await untilWaiting(db);
    goOn.resolve();
    await Promise.all([asking, paying]);
    assert.deepEqual(await journal(service, older), []);
    assert.deepEqual((await endsOf({ order_id: orderId })).sort(), [REPLACED, OPEN]);
  });
});

/** A payment request that has been read, for an order that `openOrder` knows in other words. */
function requestOf(orderId: string): PaymentRequest {
  return {
    purpose: "payment",
    transaction: newPayment(shop, { environment: "sandbox", orderId }),
    email: "anika@example.com",
    responseUrl: "https://shop.example/paid",
    isAvs: false,
    cardType: undefined,
    words: {},
  };
}
