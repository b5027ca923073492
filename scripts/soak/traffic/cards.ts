/** Saved cards: asked for, saved on the page, verified by the amount, charged, deleted. */

import { type Client, type Environment, expectStatus, write } from "./client.ts";
import { pageAt, visitPage } from "./page.ts";
import { RESPONSE_URL } from "./payments.ts";
import type { WireRequest } from "./wire.ts";

/** What proves a live card is on its holder's statement alone: it is deleted again. */
const LIVE_PERCENT = 20;

export async function saveCard(client: Client): Promise<void> {
  const { diary, me, chance } = client;
  const isLive = client.hasAcquirer && chance.percent(LIVE_PERCENT);
  const environment = isLive ? "live" : "sandbox";
  const data = client.word();
  const asked: WireRequest = {
    method: "POST",
    path: "/trusted-cards/",
    json: { environment, response_url: RESPONSE_URL, data },
    idempotencyKey: data,
    ...client.credential(environment),
  };
  const outcome = await write(client, "card asked for", asked);
  expectStatus(client, asked, outcome, [200]);
  if (outcome.answer?.status !== 200) return;
  const path = pageAt(client, outcome.answer.body.url);
  const result = await visitPage(client, { path, paysWith: "a card", isLive });
  const uuid = result?.get("uuid");
  if (result?.get("status") !== "success" || uuid === null || uuid === undefined) return;
  diary.cards.set(uuid, { accountNumber: me.accountNumber });
  if (isLive) return remove(client, uuid, environment);
  await verify(client, uuid, result.get("total") ?? "");
}

async function verify(client: Client, uuid: string, amount: string): Promise<void> {
  const asked: WireRequest = {
    method: "POST",
    path: `/trusted-cards/${uuid}/verify`,
    json: { environment: "sandbox", amount },
    idempotencyKey: client.word(),
    ...client.credential(),
  };
  const outcome = await write(client, "card verified", asked);
  expectStatus(client, asked, outcome, [200]);
  if (outcome.answer?.status !== 200) return;
  const told = client.diary.cards.get(uuid);
  if (told !== undefined) told.verified = true;
  client.cards.push(uuid);
}

export async function chargeCard(client: Client): Promise<boolean> {
  const { chance, diary, me } = client;
  const [uuid] = client.cards;
  if (uuid === undefined) return false;
  if (client.cards.length > 1 && chance.percent(30)) {
    client.cards.shift();
    await remove(client, uuid, "sandbox");
    return true;
  }
  const orderId = client.word();
  const asked: WireRequest = {
    method: "POST",
    path: `/trusted-cards/${uuid}/charge`,
    json: {
      currency: me.currency,
      fee_structure: "customer_pay",
      order_id: orderId,
      response_url: RESPONSE_URL,
      total: "1000.00",
      data: orderId,
      environment: "sandbox",
    },
    idempotencyKey: orderId,
    ...client.credential(),
  };
  const outcome = await write(client, "charge asked for", asked);
  expectStatus(client, asked, outcome, [200]);
  if (outcome.answer?.status !== 200) return true;
  const { transaction_id: id, url } = outcome.answer.body;
  const environment = "sandbox";
  diary.addPayment(id, { accountNumber: me.accountNumber, environment, orderId, data: orderId });
  await visitPage(client, { path: pageAt(client, url), paysWith: "a saved card" });
  return true;
}

async function remove(client: Client, uuid: string, environment: Environment): Promise<void> {
  const path = `/trusted-cards/${uuid}?environment=${environment}`;
  const asked: WireRequest = { method: "DELETE", path, ...client.credential(environment) };
  const outcome = await write(client, "card deleted", asked);
  // After a lost answer it is gone (404); while a charge is under way it stays (409).
  expectStatus(client, asked, outcome, [200, 404, 409]);
  const told = client.diary.cards.get(uuid);
  if (outcome.answer?.status === 200 && told !== undefined) told.deleted = true;
}
