/**
 * What the tests of trusted cards share: a customer who saves a card as the page does it, the
 * amount that only the customer's statement tells, and the proof that all of it adds up.
 */

import assert from "node:assert/strict";
import { register } from "prom-client";
import { sql } from "../src/infra/db/query.ts";
import type { Scope } from "../src/kit/scopes.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import { returnUrl } from "../src/modules/checkout/session/end-sessions.ts";
import { describeDifference } from "../src/modules/ledger/difference.ts";
import { forgetCards } from "../src/modules/trusted-cards/forget-cards.ts";
import { reconcileChecks } from "../src/modules/trusted-cards/reconcile-checks.ts";
import { CARDS, expectAllToAddUp, look, type Order, submit } from "./checkout-sessions.ts";
import { mintToken } from "./credentials.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { returnChecks } from "./sweeps.ts";
import { openShop, type Shop } from "./transactions.ts";

export const RESPONSE_URL = "https://shop.example.com/saved?basket=7";

export interface SavedCard extends Order {
  readonly uuid: string;
  /** As the customer's statement says it: `0.73`. */
  readonly amount: string;
  /** The merchant's address, as the browser was led there. */
  readonly result: URL;
}

export { openShop, type Shop };

/** A token lasts for 12 hours. */
export async function signInAgain(service: TestService, shop: Shop): Promise<Shop> {
  return { ...shop, ...(await mintToken(service.ctx, shop, shop.allScopes.split(" ") as Scope[])) };
}

/** The address of the page is open; no card has been entered. */
export async function askToSave(
  service: TestService,
  shop: Shop,
  json: Record<string, unknown> = {},
): Promise<Order> {
  const answer = await service.request("/trusted-cards/", {
    method: "POST",
    token: shop.token,
    json: { environment: "sandbox", response_url: RESPONSE_URL, ...json },
  });
  assert.equal(answer.status, 200, answer.text);
  return orderOf(answer, shop);
}

export function orderOf({ body }: TestAnswer, shop: Shop): Order {
  const token = new URL(body.url).pathname.split("/").at(-1) ?? "";
  return { id: body.transaction_id, token, shop };
}

export async function saveCard(
  service: TestService,
  options: { shop?: Shop; environment?: Environment; number?: string; cents?: number } = {},
): Promise<SavedCard> {
  const { environment = "sandbox", number = CARDS.approved, cents = 73 } = options;
  const shop = options.shop ?? (await openShop(service));
  const order = await askToSave(service, shop, { environment });
  await setAmount(service, order, cents);
  await submit(service, order, number);
  return savedOf(service, order);
}

/** Which chance decides. */
export async function setAmount(
  { ctx: { db } }: TestService,
  { id }: Order,
  cents: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update card_checks set amount_minor = ${cents} where transaction_id = ${id}`);
  });
}

export async function savedOf(service: TestService, order: Order): Promise<SavedCard> {
  const row = await service.ctx.db.one<{ card_uuid: string; amount_minor: bigint }>(sql`
    select card_uuid, amount_minor from card_checks where transaction_id = ${order.id}`);
  const result = await resultOf(service, order);
  return { ...order, uuid: row.card_uuid, amount: `0.${row.amount_minor}`, result };
}

export async function resultOf(service: TestService, order: Order): Promise<URL> {
  const address = await returnUrl(service.ctx, await look(service, order));
  assert(address !== undefined, "there is no result yet");
  return new URL(address);
}

export async function verifiedCard(
  service: TestService,
  options: Parameters<typeof saveCard>[1] = {},
): Promise<SavedCard> {
  const card = await saveCard(service, options);
  const answer = await verify(service, card, card.amount);
  assert.equal(answer.status, 200, answer.text);
  return card;
}

export function verify(service: TestService, card: SavedCard, amount: string): Promise<TestAnswer> {
  return service.request(`/trusted-cards/${card.uuid}/verify`, {
    method: "POST",
    token: card.shop.token,
    json: { amount },
  });
}

/** Of fifty amounts one that is wrong. */
export function wrongOf({ amount }: Pick<SavedCard, "amount">, by = 1): string {
  return `0.${50 + ((Number(amount.slice(2)) - 50 + by) % 50)}`;
}

let orders = 0;
export const charge = (
  service: TestService,
  card: Pick<SavedCard, "uuid" | "shop">,
  json: Record<string, unknown> = {},
): Promise<TestAnswer> =>
  service.request(`/trusted-cards/${card.uuid}/charge`, {
    method: "POST",
    token: card.shop.token,
    json: { ...newCharge(), ...json },
  });

export function newCharge(): Record<string, unknown> {
  orders += 1;
  return {
    currency: "TTD",
    fee_structure: "customer_pay",
    order_id: `charge-${orders}`,
    response_url: RESPONSE_URL,
    total: "100.00",
  };
}

/** The page of a charge is open. */
export async function askToCharge(
  service: TestService,
  card: SavedCard,
  json: Record<string, unknown> = {},
): Promise<Order> {
  const answer = await charge(service, card, json);
  assert.equal(answer.status, 200, answer.text);
  return orderOf(answer, card.shop);
}

/** As the page does it: of a saved card the security code alone. */
export const payWithCode = (service: TestService, order: Order, cvv = "739") =>
  submit(service, order, "", { form: { number: "", expiry: "", holder: "", cvv } });

export const remove = (service: TestService, card: SavedCard): Promise<TestAnswer> =>
  service.request(`/trusted-cards/${card.uuid}`, { method: "DELETE", token: card.shop.token });

/** What the workers do once a minute. */
export async function tidyUp(service: TestService): Promise<void> {
  await forgetCards(service.ctx);
  await returnChecks(service.ctx);
}

export async function returnOf({ ctx: { db } }: TestService, { id }: Order): Promise<string> {
  const row = await db.one<{ return_state: string }>(sql`
    select return_state from card_checks where transaction_id = ${id}`);
  return row.return_state;
}

/** What the acquirer gave back, by its own journal. */
export async function refundsOf({ ctx: { db } }: TestService, { id }: Order): Promise<string[]> {
  const rows = await db.rows<{ outcome: string; amount_minor: bigint }>(sql`
    select outcome, amount_minor from simulator_refunds where transaction_id = ${id}`);
  return rows.map(({ outcome, amount_minor }) => `${outcome} 0.${amount_minor}`);
}

export async function cardEvents(service: TestService, uuid: string): Promise<string[]> {
  await service.numberEvents();
  const rows = await service.ctx.db.rows<{ event: string }>(sql`
    select event from events where position(${uuid} in body) > 0 order by sequence`);
  return rows.map(({ event }) => event);
}

/** How often something in the vault did not open. */
export const alarms = async () => {
  const text = await register.getSingleMetricAsString("windward_stored_cards_unopened_total");
  return Number(/_total (\d+)/.exec(text)?.[1] ?? 0);
};

/** The end of every test about money. */
export async function expectCardsToAddUp(service: TestService): Promise<void> {
  await expectAllToAddUp(service);
  const { differences } = await reconcileChecks(service.ctx.db);
  assert.deepEqual(differences.map(describeDifference), []);
  const wrong = await service.ctx.db.rows(sql`
    select transaction_id, status, return_state, given.count from card_checks
    cross join lateral (
      select count(*)::int as count from simulator_refunds as refund
      where refund.transaction_id = card_checks.transaction_id and outcome = 'refunded'
    ) as given
    where given.count <> (return_state = 'returned')::int and return_state <> 'due'`);
  assert.deepEqual(wrong, []);
}

/** The proof, then the end, whatever the proof says. */
export async function closeService(service: TestService): Promise<void> {
  try {
    await expectCardsToAddUp(service);
  } finally {
    await service.stop();
  }
}
