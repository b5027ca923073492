/**
 * An order that is requested with other details while it is open and no card was tried: the older
 * payment ends and the newer one opens, together or not at all (Decision 0065).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  CARDS,
  eventsOf,
  expectAllToAddUp,
  journal,
  type Order,
  openByRequest,
  payment,
  states,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import {
  ask,
  ENCODINGS,
  expectRefused,
  type Fields,
  minimal,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, sibling } = await startTwoServices();
const { db } = service.ctx;
afterEach(() => expectAllToAddUp(service));

const merchant = await openShop(service);
const here = (fields: Fields = {}) => minimal(merchant.accountNumber, fields);
const REPLACED = "failed, [3-R97]: Replaced by a newer request.";
const OPEN = "incomplete, null";
const TAKEN = { message: "The order id is already being paid or has been paid." };

const open = (fields: Fields, headers: Record<string, string> = {}) =>
  openByRequest(service, merchant, fields, headers);

/** An open payment, and the one that replaced it. */
async function replace(
  fields: Fields = here(),
  change: Fields = { total: "80.00" },
): Promise<{ older: Order; newer: Order }> {
  const older = await open(fields);
  return { older, newer: await open({ ...fields, ...change }) };
}

const changes: Fields[] = [
  { total: "100.01" },
  { currency: "USD" },
  { fee_structure: "split" },
  { method: "3co_simple" },
  { origin: "other" },
  { response_url: "https://shop.example/elsewhere" },
  { email: "somebody@example.com" },
  { data: "y" },
  { version: "2" },
  { fname: "Anika" },
  { phone: "+18686221234" },
  { avs: true },
  { card_type: "visa" },
];

describe("whichever field is another", () => {
  test("no card was tried: a new payment", async () => {
    const fields = here();
    let older = await open(fields);
    for (const change of changes) {
      const newer = await open({ ...fields, ...change });
      assert.equal(await told(service, older), REPLACED, JSON.stringify(change));
      older = newer;
    }
    assert.equal(await told(service, older), OPEN);
  });

  test("a card was tried: 400, and in the same words the same page", async () => {
    const fields = here();
    const older = await open(fields);
    await submit(service, older, CARDS.declined);
    for (const change of changes)
      for (const encoding of ENCODINGS)
        await expectRefused(service, { ...fields, ...change }, encoding, TAKEN);
    assert.equal((await open(fields)).id, older.id);
  });
});

describe("the payments", () => {
  test("both are in the history, with their events, and only the newer can be paid", async () => {
    const { older, newer } = await replace();
    assert.equal(await told(service, older), REPLACED);
    assert.equal(await told(service, newer), OPEN);
    assert.deepEqual(await eventsOf(service, older), ["payment.created", "payment.failed"]);
    const [first, second] = [await payment(service, older), await payment(service, newer)];
    assert(first.finalised_at !== null && first.finalised_at <= second.created_at);
    assert(first.created_at < second.created_at && older.id < newer.id);
    const history = await service.request(
      `/transactions/?environment=sandbox&order_id=${first.order_id}`,
      { token: merchant.token },
    );
    assert.deepEqual(
      history.body.data.map((one: { transaction_id: string }) => one.transaction_id),
      [newer.id, older.id],
    );
    await submit(service, older, CARDS.approved);
    assert.deepEqual([await states(service, older), await journal(service, older)], [[], []]);
    await submit(service, newer, CARDS.approved);
    assert.equal((await payment(service, newer)).status, "success");
    assert.equal((await payment(service, newer)).total_minor, 8_000n);
  });

  test("the older event comes before the newer one's", async () => {
    const { older, newer } = await replace();
    await service.numberEvents();
    const rows = await db.rows<{ resource: string; event: string }>(sql`
      select resource, event from events where resource = any(${[older.id, newer.id]})
      order by sequence`);
    assert.deepEqual(
      rows.map(({ resource, event }) => [resource, event]),
      [
        [older.id, "payment.created"],
        [older.id, "payment.failed"],
        [newer.id, "payment.created"],
      ],
    );
  });

  for (const [how, number, seconds] of [
    ["not decided", CARDS.unknownThenApproved, 0],
    ["asked about by its bank", CARDS.asked, 0],
    ["asked about and forgotten", CARDS.silent, 120],
  ] as const)
    test(`once a card was tried and is ${how}: 400, and the payment stays`, async () => {
      const fields = here();
      const older = await open(fields);
      await submit(service, older, number);
      await service.clock.advance({ seconds });
      for (const encoding of ENCODINGS)
        await expectRefused(service, { ...fields, total: "80.00" }, encoding, TAKEN);
      assert.equal(await told(service, older), OPEN);
      assert.equal((await open(fields)).id, older.id, "the same words still lead there");
    });

  test("once it was paid: 400", async () => {
    const fields = here();
    await submit(service, await open(fields), CARDS.approved);
    await expectRefused(service, { ...fields, total: "80.00" }, "json", TAKEN);
  });

  test("a request that is refused itself ends nothing", async () => {
    const fields = here();
    const older = await open(fields);
    const refused: Fields[] = [
      { total: "x" },
      { email: merchant.email },
      { response_url: "ftp://x" },
    ];
    for (const change of refused)
      assert.equal((await ask(service, { ...fields, ...change })).status, 400);
    assert.equal(await told(service, older), OPEN);
    assert.equal((await open(fields)).id, older.id);
  });

  test("an account that is frozen at the same moment ends nothing", async () => {
    const { accountNumber } = await service.world.merchant();
    const fields = minimal(accountNumber);
    const older = await open(fields);
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const freezing = db.transaction(async (tx) => {
      await tx.run(sql`
        select 1 from accounts where account_number = ${accountNumber} for update`);
      await tx.run(sql`
        update accounts set status = 'frozen' where account_number = ${accountNumber}`);
      held.resolve();
      await goOn.promise;
    });
    await held.promise;
    const asking = ask(service, { ...fields, total: "80.00" });
    await untilWaiting(db).finally(goOn.resolve);
    await freezing;
    const { status, body } = await asking;
    const message = "The account number cannot take this payment.";
    assert.deepEqual([status, body.message], [400, message]);
    assert.equal(await told(service, older), OPEN);
  });

  test("too many requests end nothing", async () => {
    const settings = { LIMIT_PAYMENT_MERCHANT: "1" };
    const strict = await startService({ settings, database: service.database });
    const { accountNumber } = await service.world.merchant();
    const fields = minimal(accountNumber);
    const first = await ask(strict, fields);
    const second = await ask(strict, { ...fields, total: "80.00" });
    await strict.stop();
    assert.deepEqual([first.status, second.status], [200, 429]);
    const { status } = await db.one<{ status: string }>(sql`
      select status from transactions where transaction_id = ${first.body.transaction_id}`);
    assert.equal(status, "incomplete");
  });

  test("under an Idempotency-Key: the same, and its answer is told again", async () => {
    const fields = here();
    const older = await open(fields, { "idempotency-key": randomUUID() });
    const key = { "idempotency-key": randomUUID() };
    const newer = await open({ ...fields, total: "80.00" }, key);
    assert.equal(await told(service, older), REPLACED);
    assert.equal((await open({ ...fields, total: "80.00" }, key)).id, newer.id);
    await submit(service, newer, CARDS.declined);
    const third = { headers: { "idempotency-key": randomUUID() } };
    const refused = await ask(service, { ...fields, total: "70.00" }, "json", third);
    assert.deepEqual([refused.status, refused.body.message], [400, TAKEN.message]);
  });

  test("a lost COMMIT is confirmed: both or neither", async () => {
    const proxy = await startCuttingProxy(service.database.url);
    const cut = await startService({ database: { url: proxy.url, drop: async () => {} } });
    try {
      for (const when of ["after", "before"] as const) {
        const fields = here();
        const older = await open(fields);
        proxy.cutNextCommit(when);
        const { status, body } = await ask(cut, { ...fields, total: "80.00" });
        assert(proxy.hasCut());
        assert.equal(status, when === "after" ? 200 : 503);
        assert.equal(await told(service, older), when === "after" ? REPLACED : OPEN);
        const newer = await open({ ...fields, total: "80.00" });
        assert.equal(newer.id === body.transaction_id, when === "after");
      }
    } finally {
      await cut.stop();
      await proxy.close();
    }
  });
});

test("two processes tell the same", async () => {
  const fields = here();
  const older = await open(fields);
  const { body } = await ask(sibling, { ...fields, total: "80.00" });
  assert.equal(await told(service, older), REPLACED);
  assert.equal((await open({ ...fields, total: "80.00" })).id, body.transaction_id);
});
