/**
 * The guarantee: what was agreed and what was told can be erased, and in no other way be changed:
 * the database lets exactly that through, of what is finished, and whole (Decision 0122).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Sql, sql } from "../../src/infra/db/query.ts";
import {
  CARDS,
  expectAllToAddUp,
  type Order,
  openByRequest,
  submit,
} from "../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { type SavedCard, saveCard } from "../../testkit/trusted-cards.ts";
import { settleAll } from "../api/transactions/refund-support.ts";
import { askRefund, requestOf, wordsOf } from "./erasure-support.ts";

const WORDS = wordsOf("quixrule");
let service: TestService;
let shop: Shop;
let paid: Order;
let card: SavedCard;
before(async () => {
  service = await startService();
  shop = await openShop(service);
  paid = await openByRequest(service, shop, requestOf(shop, WORDS));
  await submit(service, paid, CARDS.approved);
  card = await saveCard(service, { shop });
  await service.numberEvents();
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const run = (statement: Sql) => service.ctx.db.run(statement);
const refuses = (statement: Sql, constraint: string) =>
  assert.rejects(run(statement), { constraint });

const AGREED = "what_was_agreed_is_never_changed";
const WHOLE = sql`customer = '{}', data = '', description = null, items = null,
  link_reference = null`;

describe("a payment", () => {
  const ofPaid = () => sql`where transaction_id = ${paid.id}`;

  test("is not changed in part, nor to other words", async () => {
    for (const change of [
      sql`customer = '{}'`,
      sql`data = ''`,
      sql`items = null`,
      sql`description = null`,
      sql`customer = '{"email": "other@example.com"}'`,
      sql`customer = '{"fname": "Other"}', data = '', description = null, items = null`,
      sql`customer = '{}', data = 'other', description = null, items = null`,
      sql`customer = '{}', data = '', description = 'other', items = null`,
      sql`customer = '{}', data = '', description = null,
        items = '[{"name": "x", "quantity": 1, "unit_price_minor": 10000}]'`,
    ])
      await refuses(sql`update transactions set ${change} ${ofPaid()}`, AGREED);
  });

  test("is not changed in anything else while it is erased", async () => {
    for (const change of [
      sql`total_minor = 9999`,
      sql`order_id = 'other'`,
      sql`account_number = '9999999999'`,
      sql`created_at = app_now()`,
      sql`fee_minor = 0`,
      sql`language = 'fr'`,
      sql`method = 'other'`,
    ])
      await refuses(sql`update transactions set ${WHOLE}, ${change} ${ofPaid()}`, AGREED);
    await refuses(
      sql`update transactions set ${WHOLE}, message = 'other' ${ofPaid()}`,
      "a_result_is_told_once",
    );
    await refuses(
      sql`update transactions set ${WHOLE}, payment_link = gen_random_uuid() ${ofPaid()}`,
      "a_payment_stays_with_its_link",
    );
  });

  test("is not erased before it is finished", async () => {
    const open = await openByRequest(service, shop, requestOf(shop, WORDS));
    const erase = sql`update transactions set ${WHOLE} where transaction_id = ${open.id}`;
    await refuses(erase, AGREED);
    await submit(service, open, CARDS.approved);
    const refund = await askRefund(service, shop, open, WORDS.reason);
    await refuses(erase, AGREED);
    await refuses(
      sql`update refunds set reason = null where refund_id = ${refund}`,
      "what_was_asked_for_is_never_changed",
    );
    await settleAll(service);
    for (const change of [sql`reason = 'other'`, sql`reason = null, amount_minor = 1`])
      await refuses(
        sql`update refunds set ${change} where refund_id = ${refund}`,
        "an_ended_refund_never_changes",
      );
    assert.equal(await run(sql`update refunds set reason = null where refund_id = ${refund}`), 1);
    assert.equal(await run(erase), 1);
    assert.equal(await run(erase), 1);
  });
});

describe("an event", () => {
  const EVENT = "an_event_is_numbered_once_and_else_never_changed";
  const ofPaid = () => sql`where resource = ${paid.id}`;

  test("is erased to the byte, and changed in no other way", async () => {
    for (const change of [
      sql`body = '{}'`,
      sql`body = replace(body, '100.00', '1.00')`,
      sql`body = replace(erased_body(body), '100.00', '1.00')`,
      sql`body = body || ' '`,
      sql`body = erased_body(body), occurred_at = app_now()`,
      sql`body = erased_body(body), sequence = sequence + 1000`,
      sql`body = null, record = erased_record('{}')`,
    ])
      await assert.rejects(run(sql`update events set ${change} ${ofPaid()}`), (error) => {
        const { constraint } = error as { constraint?: string };
        return constraint === EVENT || assert.fail(String(error));
      });
    assert((await run(sql`update events set body = erased_body(body) ${ofPaid()}`)) > 0);
    const [event] = await service.ctx.db.rows<{ body: string }>(sql`
      select body from events ${ofPaid()} order by sequence limit 1`);
    assert.deepEqual(JSON.stringify(JSON.parse(event?.body ?? "")), event?.body);
    assert.doesNotMatch(event?.body ?? "", /quixrule/);
  });

  test("of anything else, such as a withdrawal, is not erased", async () => {
    await service.ctx.db.run(sql`
      insert into events (event_id, account_number, environment, api_family, event, resource,
        record)
      values ('00000000-0000-7000-8000-000000000001', ${shop.accountNumber}, 'sandbox',
        'account_api', 'withdrawal.pending', 'w', '{"name":"somebody","data":"kept"}')`);
    await refuses(
      sql`update events set record = erased_record(record) where resource = 'w'`,
      EVENT,
    );
  });
});

describe("a saved card", () => {
  test("loses what its customer wrote only once it is deleted, and nothing else", async () => {
    const ofCard = sql`where card_uuid = ${card.uuid}`;
    await refuses(
      sql`update trusted_cards set holder = '' ${ofCard}`,
      "what_a_card_is_never_changes",
    );
    const removed = await service.request(`/trusted-cards/${card.uuid}`, {
      method: "DELETE",
      token: shop.token,
    });
    assert.equal(removed.status, 200);
    for (const change of [sql`holder = 'Other'`, sql`holder = '', last_four = '0000'`])
      await refuses(
        sql`update trusted_cards set ${change} ${ofCard}`,
        "what_a_card_is_never_changes",
      );
    assert.equal(await run(sql`update trusted_cards set holder = '' ${ofCard}`), 1);
    await refuses(
      sql`update card_checks set data = 'other' where transaction_id = ${card.id}`,
      AGREED,
    );
  });
});
