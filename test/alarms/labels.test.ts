/**
 * The guarantee: metrics name no account, order, person or record. Prometheus keeps them for weeks,
 * everybody who looks after machines reads them, and each name would be a series of its own.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { appWatches } from "../../src/app.ts";
import { CARDS, openByRequest, submit } from "../../testkit/checkout-sessions.ts";
import { minimal } from "../../testkit/payment-requests.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { verifiedCard } from "../../testkit/trusted-cards.ts";
import { happen, makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { openOwner, withdraw } from "../../testkit/withdrawals.ts";
import { paidOrder, refundOf } from "../api/transactions/refund-support.ts";
import { queue } from "../mail/support.ts";

const EMAIL = "keisha.grant@example.com";
const ORDER = "order-7Q4K-2026";
/** Words, templates of paths, versions and numbers of a bucket; each short. */
const MODEST = /^[\w+./:{} -]{0,80}$/;
const TELLING: readonly (readonly [string, RegExp])[] = [
  ["an address of a person", /@/],
  ["an account or a card", /\d{8,}/],
  ["an id", /[0-9a-f]{8}-[0-9a-f]{4}-|(SB-)?(TT|JM|BB|GD|GY)-[0-9A-Z]{8}/],
  ["an address of the network", /\b\d+\.\d+\.\d+\.\d+\b/],
  ["a secret", /(?=[\w-]*[A-Z0-9])[\w-]{24,}/],
];

const service = await startService();
after(() => service.stop());

function labelValues(scrape: string): string[] {
  const lines = scrape.split("\n").filter((line) => !line.startsWith("#"));
  const values = lines.flatMap((line) =>
    [...line.matchAll(/[{,]\w+="((?:[^"\\]|\\.)*)"/g)].map(([, value = ""]) => value),
  );
  return [...new Set(values)];
}

function complaintsAbout(value: string): string[] {
  const told = TELLING.filter(([, pattern]) => pattern.test(value)).map(([what]) => what);
  return MODEST.test(value) ? told : [...told, "not a word of ours"];
}

/** Something of each kind, and addresses that lead to it. */
async function traffic(): Promise<string[]> {
  const shop = await openShop(service);
  const fields = minimal(shop.accountNumber, { email: EMAIL, order_id: ORDER });
  const order = await openByRequest(service, shop, fields);
  await submit(service, order, CARDS.declined);
  const paid = await paidOrder(service, { shop });
  const refund = await refundOf(service, paid, "10.00");
  const card = await verifiedCard(service, { shop });
  const owner = await openOwner(service);
  const withdrawal = await withdraw(service, owner);
  const { webhook_id: webhook } = await makeEndpoint(service, shop);
  await happen(service, shop);
  await queue(service);
  const { token } = shop;
  for (const path of [
    `/transactions/${paid.id}`,
    `/webhooks/${webhook}/deliveries`,
    `/withdrawals/${withdrawal}`,
    `/checkout/${order.token}`,
    `/${EMAIL}`,
    `/trusted-cards/${card.uuid}`,
    `/nowhere/${shop.accountNumber}?email=${EMAIL}`,
  ])
    await service.request(path, { token });
  for (const watch of appWatches) await watch.look(service.ctx);
  return [
    shop.accountNumber,
    owner.accountNumber,
    paid.id,
    refund,
    card.uuid,
    withdrawal,
    order.id,
  ];
}

test("no label of a real scrape names anybody or anything", async () => {
  const names = [...(await traffic()), EMAIL, ORDER, CARDS.declined];
  const scrape = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(
    scrape,
    /windward_http_requests_total\{[^}]*route="\/transactions\/(?::\w+|\{\w+\})/,
  );
  for (const name of names) assert(!scrape.includes(name), name);
  const values = labelValues(scrape);
  assert(values.length > 60, `${values.length} values`);
  const complaints = values
    .map((value) => ({ value, told: complaintsAbout(value) }))
    .filter(({ told }) => told.length > 0);
  assert.deepEqual(complaints, []);
});

test("what would tell is noticed", () => {
  for (const wrong of [
    EMAIL,
    "2173579151",
    "TT-01M7RQX5273M1FZZWK0XP5AVTK",
    "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    "203.0.113.7",
    "tU7c4pLm2ZqW9xYb5KdQ8rS3vN6",
  ])
    assert.notDeepEqual(complaintsAbout(wrong), [], wrong);
  for (const good of [
    "/transactions/{transaction_id}",
    "to be retried",
    "0.25",
    "+Inf",
    "v24.21.0",
  ])
    assert.deepEqual(complaintsAbout(good), [], good);
});
