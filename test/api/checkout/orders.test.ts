/**
 * The guarantee: one order is paid once. However often and from however many processes it is asked
 * for, at most one session of it is open (Interface §3.2, Decision 0036).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { lookAtSession } from "../../../src/modules/checkout/session/find-sessions.ts";
import { submitCard } from "../../../src/modules/checkout/session/submit-card.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ADDRESS, CARDS } from "../../../testkit/checkout-sessions.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import {
  ask,
  ENCODINGS,
  type Encoding,
  expectRefused,
  type Fields,
  minimal,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { finaliseTransaction } from "../../../testkit/transactions.ts";

const service = await startService();
const sibling = await startService({ database: service.database });
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await sibling.stop();
  await service.stop();
});
const { db } = service.ctx;
const shop = await service.world.merchant();
const here = (fields: Fields = {}) => minimal(shop.accountNumber, fields);
const TAKEN = { message: "The order id is already being paid or has been paid." };

async function end(transactionId: string, status: "success" | "failed" | "error") {
  const card = { brand: "visa", lastFour: "1111" };
  await db.transaction(async (tx) => {
    await finaliseTransaction(tx, transactionId, { status, message: "So it ended.", card });
    await tx.run(sql`
      update checkout_sessions set state = 'ended', ended_at = app_now()
      where transaction_id = ${transactionId}`);
  });
}

async function tryCard(url: string, number: string): Promise<void> {
  const session = await lookAtSession(service.ctx, url.split("/").at(-1) ?? "");
  assert(session !== undefined);
  const form = { number, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" };
  await submitCard(service.ctx, {
    session,
    pageUrl: url,
    form,
    language: "en",
    seenAttempts: session.attempts,
    address: ADDRESS,
  });
}

async function liveCount(orderId: unknown): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from transactions join checkout_sessions using (transaction_id)
    where order_id = ${String(orderId)} and state = 'open'`);
  return count;
}

describe("the same order again", () => {
  test("in the same words while it is open: the same address and id, however written", async () => {
    const fields = here({ name: "Anika Mohammed", total: "100.00", data: "x" });
    const first = await ask(service, fields);
    for (const encoding of ["json", "form"] as const)
      for (const [one, total] of [
        [service, 100],
        [sibling, "100.0"],
      ] as const) {
        const again = await ask(one, { ...fields, total, email: "CUSTOMER@example.com" }, encoding);
        assert.deepEqual(again.body, first.body);
      }
    const browser = await ask(service, fields, "browser");
    assert.equal(browser.headers.get("location"), first.body.url);
    assert.equal(await liveCount(fields.order_id), 1);
  });

  test("after it was paid: 400, also in the same words", async () => {
    const fields = here();
    const { body } = await ask(service, fields);
    await end(body.transaction_id, "success");
    for (const encoding of ENCODINGS) await expectRefused(service, fields, encoding, TAKEN);
  });

  for (const status of ["failed", "error"] as const)
    test(`after it ${status}: a new payment at a new address`, async () => {
      const fields = here();
      const first = await ask(service, fields);
      await end(first.body.transaction_id, status);
      const second = await ask(service, fields);
      assert.equal(second.status, 200);
      assert.notEqual(second.body.transaction_id, first.body.transaction_id);
      assert.notEqual(second.body.url, first.body.url);
      assert.equal(await liveCount(fields.order_id), 1);
    });

  test("when its time is over, before anybody wrote that down: a new payment too", async () => {
    for (const change of [{}, { total: "7.00" }]) {
      const fields = here();
      const first = await ask(service, fields);
      await service.clock.advance({ seconds: 181 });
      const second = await ask(service, { ...fields, ...change });
      assert.equal(second.status, 200);
      assert.notEqual(second.body.transaction_id, first.body.transaction_id);
      const { status, message } = await db.one<{ status: string; message: string }>(sql`
        select status, message from transactions
        where transaction_id = ${first.body.transaction_id}`);
      assert.deepEqual([status, message], ["failed", "[3-R98]: Transaction timed out."]);
      assert.equal(await liveCount(fields.order_id), 1);
    }
  });

  test("when its time is over and a card was tried: a new payment once its bank has spoken", async () => {
    for (const [number, mayPayAnew] of [
      [CARDS.declined, true],
      [CARDS.unknownThenDeclined, false],
    ] as const) {
      const fields = here();
      const first = await ask(service, fields);
      await tryCard(first.body.url, number);
      await service.clock.advance({ seconds: 181 });
      const second = await ask(service, fields);
      if (mayPayAnew) assert.notEqual(second.body.url, first.body.url);
      else assert.deepEqual([second.status, second.body.message], [400, TAKEN.message]);
      assert.equal(await liveCount(fields.order_id), 1);
    }
  });

  test("of another merchant or in another environment: its own payment", async () => {
    const fields = here();
    const other = await service.world.merchant();
    const ids = [];
    for (const change of [
      {},
      { environment: "live" },
      { account_number: other.accountNumber },
    ] as Fields[])
      ids.push((await ask(service, { ...fields, ...change })).body.transaction_id);
    assert.equal(new Set(ids).size, 3);
    assert(!ids.includes(undefined));
  });
});

describe("at the same moment", () => {
  test("32 times the same words, over two processes: one session, one answer", async () => {
    for (let round = 0; round < 5; round++) {
      const fields = here();
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, turn) => ask(turn % 2 ? service : sibling, fields)),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(await liveCount(fields.order_id), 1);
    }
  });

  test("32 times in other words each: each replaces the one before, one stays open", async () => {
    const fields = here();
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, turn) =>
        ask(turn % 2 ? service : sibling, { ...fields, data: `cart ${turn}` }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.transaction_id)).size, 32);
    assert.equal(await liveCount(fields.order_id), 1);
  });

  test("many requests for two orders in either order do not deadlock", async () => {
    const [one, other] = [here(), here()];
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, turn) =>
        ask(turn % 2 ? service : sibling, (turn >> 1) % 2 ? one : other),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 2);
  });

  test("one among many that cannot go does not hold the others back", async () => {
    const known = here();
    const { body } = await ask(service, known);
    await tryCard(body.url, CARDS.declined);
    const requests = [
      ...Array.from({ length: 20 }, () => here()),
      { ...known, total: "7.00" },
      minimal("9999999999"),
    ];
    const answers = await Promise.all(requests.map((fields) => ask(service, fields)));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [...Array(20).fill(200), 400, 400]);
  });
});

describe("an Idempotency-Key", () => {
  const keyed = (fields: Fields, key: string, encoding: Encoding = "json") =>
    ask(service, fields, encoding, { headers: { "idempotency-key": key } });

  test("tells the first answer again, also after the payment has ended", async () => {
    const fields = here();
    const key = randomUUID();
    const first = await keyed(fields, key);
    await end(first.body.transaction_id, "failed");
    const again = await keyed(fields, key);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    const other = await keyed({ ...fields, total: "7.00" }, key);
    assert.equal(other.status, 422);
    assert.deepEqual(other.body, {
      url: "",
      message: "This Idempotency-Key was used with a different request.",
      transaction_id: "",
    });
  });

  for (const first of ENCODINGS)
    test(`first used by ${first}: a browser is led to the page, nobody else`, async () => {
      const fields = here();
      const key = randomUUID();
      const addresses = new Set<string>();
      for (const encoding of [first, ...ENCODINGS]) {
        const { status, headers, body } = await keyed(fields, key, encoding);
        const location = headers.get("location");
        assert.equal(status, encoding === "browser" ? 303 : 200);
        assert.equal(location === null, encoding !== "browser");
        addresses.add(location ?? body.url);
      }
      assert.equal(addresses.size, 1);
      assert.match([...addresses].join(), /\/checkout\/[\w-]+$/);
    });

  test("of one merchant is no other's", async () => {
    const key = randomUUID();
    const other = await service.world.merchant();
    const first = await keyed(here(), key);
    const second = await keyed(minimal(other.accountNumber), key);
    assert.equal(second.status, 200);
    assert.notEqual(first.body.transaction_id, second.body.transaction_id);
  });

  test("is not used up by a refusal", async () => {
    const key = randomUUID();
    const fields = here();
    assert.equal((await keyed({ ...fields, total: "1" }, key)).status, 400);
    assert.equal((await keyed(fields, key)).status, 200);
  });
});

describe("when the answer to COMMIT is lost", () => {
  test("after it: the payment is found by its id; before it: 503 and nothing is left", async () => {
    const proxy = await startCuttingProxy(service.database.url);
    const cut = await startService({ database: { url: proxy.url, drop: async () => {} } });
    try {
      const kept = here();
      proxy.cutNextCommit("after", "open-checkouts");
      const found = await ask(cut, kept);
      assert(proxy.hasCut());
      assert.equal(found.status, 200);
      assert.equal(await liveCount(kept.order_id), 1);
      assert.deepEqual((await ask(service, kept)).body, found.body);

      const lost = here();
      proxy.cutNextCommit("before", "open-checkouts");
      const refused = await ask(cut, lost);
      assert.deepEqual(
        [refused.status, refused.body],
        [503, { url: "", message: "Service Unavailable", transaction_id: "" }],
      );
      assert.equal(await liveCount(lost.order_id), 0);
    } finally {
      await cut.stop();
      await proxy.close();
    }
  });
});
