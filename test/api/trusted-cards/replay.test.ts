/**
 * An answer that was given under an Idempotency-Key is given again, whatever has become of the card
 * or the merchant since (Interface §1, Decisions 0006 and 0042).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { startService } from "../../../testkit/service.ts";
import {
  closeService,
  newCharge,
  openShop,
  RESPONSE_URL,
  remove,
  type SavedCard,
  type Shop,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const service = await startService({ settings: { LIMIT_PAYMENT_MERCHANT: "5" } });
const { ctx } = service;
after(() => closeService(service));

/** The same request under the same key, as often as it is called. */
function keyed(path: string, { token }: Shop, json: Record<string, unknown>) {
  const headers = { "idempotency-key": `again-${path}` };
  return async (more: Record<string, unknown> = {}) => {
    const answer = await service.request(path, {
      method: "POST",
      token,
      headers,
      json: { ...json, ...more },
    });
    const isReplayed = answer.headers.get("idempotent-replayed") === "true";
    return { status: answer.status, body: answer.body, isReplayed };
  };
}

const expire = ({ uuid }: SavedCard) =>
  ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`update trusted_cards set exp_year = 2025 where card_uuid = ${uuid}`);
  });

/** Until the merchant may ask no more this minute. */
async function exhaust({ token }: Shop): Promise<void> {
  const json = { environment: "sandbox", response_url: RESPONSE_URL };
  for (let status = 200; status !== 429; )
    ({ status } = await service.request("/trusted-cards", { method: "POST", token, json }));
}

const SINCE: Record<string, (card: SavedCard) => Promise<unknown>> = {
  "the card was deleted": (card) => remove(service, card),
  "the card has expired": expire,
  "the merchant has asked too often": ({ shop }) => exhaust(shop),
};
for (const [what, happen] of Object.entries(SINCE))
  test(`a charge is answered as before though ${what}, and another is refused`, async () => {
    const card = await verifiedCard(service, { shop: await openShop(service) });
    const again = keyed(`/trusted-cards/${card.uuid}/charge`, card.shop, newCharge());
    const first = await again();
    assert.deepEqual([first.status, first.isReplayed], [200, false]);
    await happen(card);
    assert.deepEqual(await again(), { ...first, isReplayed: true });
    assert.equal((await again({ order_id: "another" })).status, 422);
    const fresh = keyed(`/trusted-cards/${card.uuid}/charge/`, card.shop, newCharge());
    assert((await fresh()).status >= 400);
    await service.clock.advance({ minutes: 2 });
  });

test("a request to save a card is answered as before though the merchant has asked too often", async () => {
  const shop = await openShop(service);
  const again = keyed("/trusted-cards/", shop, {
    environment: "sandbox",
    response_url: RESPONSE_URL,
  });
  const first = await again();
  assert.deepEqual([first.status, first.isReplayed], [200, false]);
  await exhaust(shop);
  assert.deepEqual(await again(), { ...first, isReplayed: true });
  const { count } = await ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from card_checks where account_number = ${shop.accountNumber}`);
  assert.equal(count, 5);
});
