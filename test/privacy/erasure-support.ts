/**
 * What the tests of erasure share: a customer who left words wherever a customer, or a merchant
 * about a customer, can leave any.
 */

import assert from "node:assert/strict";
import { sql } from "../../src/infra/db/query.ts";
import { workOffNotes } from "../../src/infra/jobs/due-notes.ts";
import { receiptsDue } from "../../src/modules/receipts/mail-receipts.ts";
import {
  CARDS,
  type Order,
  openByRequest,
  states,
  submit,
  sweep,
} from "../../testkit/checkout-sessions.ts";
import { makeMember } from "../../testkit/console.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { makeLink, openLinkOrder } from "../../testkit/payment-links.ts";
import { minimal } from "../../testkit/payment-requests.ts";
import type { TestService } from "../../testkit/service.ts";
import type { Shop } from "../../testkit/transactions.ts";
import { askToCharge, payWithCode, verifiedCard } from "../../testkit/trusted-cards.ts";
import { deliveriesOf, endDelivery, makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { settleAll } from "../api/transactions/refund-support.ts";

export const ENVIRONMENT = "sandbox" as const;

/** Each stands in one place only, so that a search says which was forgotten. */
export function wordsOf(who: string) {
  const word = (what: string) => `${who}${what}`;
  return {
    email: `${who}@customer.example`,
    fname: word("first"),
    lname: word("last"),
    addr1: word("street"),
    addr2: word("yard"),
    city: word("town"),
    phone: phoneOf(who),
    data: word("passed"),
    description: word("described"),
    item: word("bought"),
    back: word("back"),
    reason: word("because"),
    holder: word("holder"),
    reference: word("table"),
    saved: word("saved"),
    answer: word("answered"),
  };
}

/** A number of Trinidad, of one customer. */
function phoneOf(who: string): string {
  const sum = [...who].reduce((number, one) => 31 * number + one.charCodeAt(0), 0);
  return `+1868622${1_000 + (sum % 9_000)}`;
}

type Words = ReturnType<typeof wordsOf>;

export function requestOf(shop: Shop, words: Words) {
  const { email, fname, lname, addr1, addr2, city, phone, data, description, item } = words;
  return minimal(shop.accountNumber, {
    ...{ email, fname, lname, addr1, addr2, city, phone, data, description },
    country: "TT",
    items: [{ name: item, quantity: 1, unit_price: "100.00" }],
    response_url: `https://shop.example.com/${words.back}?for=${email}`,
  });
}

/**
 * Paid, approved too late, refunded in part, told to a webhook, mailed, searched for, saved and
 * charged by card.
 */
export async function leaveTraces(service: TestService, shop: Shop, words: Words) {
  const { db } = service.ctx;
  const endpoint = await makeEndpoint(service, shop, { environment: ENVIRONMENT });
  const paid = await openByRequest(service, shop, requestOf(shop, words));
  await submit(service, paid, CARDS.approved, { form: { holder: words.holder } });
  const failed = await openByRequest(service, shop, requestOf(shop, words));
  await submit(service, failed, CARDS.declined, { form: { holder: words.holder } });
  const late = await payTooLate(service, shop, words);
  const refund = await askRefund(service, shop, paid, words.reason);
  await settleAll(service);
  const card = await saveAndCharge(service, shop, words);
  const link = await payByLink(service, shop, words);
  await workOffNotes(service.ctx.db, receiptsDue(service.ctx));
  await service.numberEvents();
  for (const { id } of await deliveriesOf(service, shop, endpoint.id, "?page_size=100"))
    await endDelivery(service, id, { state: "failed", status: 500, head: words.answer });
  const { personId } = await makeMember(service, shop.accountNumber, "support");
  await db.run(sql`
    insert into saved_filters (person_id, account_number, page, name, query)
    values (${personId}, ${shop.accountNumber}, 'payments', 'hers',
      ${`q=${encodeURIComponent(words.email)}`})`);
  await db.run(sql`
    insert into mail_bounces (address, code) values (${words.email}, 550)
    on conflict do nothing`);
  await service.request(`/transactions/?order_id=${encodeURIComponent(words.email)}`, {
    token: shop.token,
  });
  await service.ctx.requestLog.flush();
  return { paid, failed, late, card, link, refund, endpoint };
}

/** The result is told without the approval, which is undone a quarter of an hour later. */
export async function payTooLate(service: TestService, shop: Shop, words: Words) {
  const order = await openByRequest(service, shop, requestOf(shop, words));
  await submit(service, order, CARDS.late, { form: { holder: words.holder } });
  for (const seconds of [180, 30, 600, 900]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
  assert.deepEqual(await states(service, order), ["voided"]);
  return order;
}

export async function askRefund(service: TestService, shop: Shop, { id }: Order, reason: string) {
  const { status, text, body } = await service.request(`/transactions/${id}/refund`, {
    method: "POST",
    token: shop.token,
    json: { amount: "10.00", reason },
  });
  assert.equal(status, 201, text);
  return body.data.refund.refund_id as string;
}

async function saveAndCharge(service: TestService, shop: Shop, words: Words) {
  const card = await verifiedCard(service, { shop });
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update trusted_cards set holder = ${words.holder} where card_uuid = ${card.uuid}`);
    await tx.run(sql`
      update card_checks set data = ${words.saved} where transaction_id = ${card.id}`);
  });
  const order = await askToCharge(service, card, {
    environment: ENVIRONMENT,
    email: words.email,
    data: words.data,
  });
  await payWithCode(service, order);
  return card;
}

async function payByLink(service: TestService, shop: Shop, words: Words) {
  const link = await makeLink(service, shop, { reference_label: "Table" });
  const order = await openLinkOrder(service, link, shop, { reference: words.reference });
  await submit(service, order, CARDS.approved, {
    form: { email: words.email, holder: words.holder },
  });
  return order;
}

export const erase = (service: TestService, email: string, ...more: string[]) =>
  operatorJson(service, ["erase-customer-data", email, ...more, ...SIGNED]);

export const exported = (service: TestService, email: string, ...more: string[]) =>
  operatorJson(service, ["export-customer-data", email, ...more, ...SIGNED]);
