/**
 * Members whose role has it see the cards that customers left, and owners and admins delete them,
 * by the rules of the API.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { hiddenOf, makeMember, signInTo } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, saveCard, verifiedCard } from "../../testkit/trusted-cards.ts";

const service = await startService();
after(() => service.stop());

const CARDS = "/console/cards";

test("a card waits for its verification, is verified, and is deleted", async () => {
  const shop = await openShop(service);
  const waiting = await saveCard(service, { shop });
  const verified = await verifiedCard(service, { shop });
  const tab = await signInTo(service, shop);
  const list = await tab.get(CARDS);
  assert.equal(list.text.match(/To be verified<\/span>/g)?.length, 1);
  assert.equal(list.text.match(/Verified/g)?.length, 1);
  assert.match(list.text, /Visa •••• \d{4}/);
  const page = await tab.get(`${CARDS}/${waiting.uuid}`);
  assert.match(page.text, /To be verified by/);
  const path = `${CARDS}/${waiting.uuid}/delete`;
  const asked = await tab.get(path);
  assert.match(asked.text, /The small amount that was charged to it is returned/);
  const hidden = hiddenOf(asked);
  const from = `${CARDS}/${verified.uuid}`;
  const answers = await Promise.all([1, 2].map(() => tab.post(path, hidden, { from })));
  for (const { headers } of answers)
    assert.equal(headers.get("location"), `${CARDS}?done=card_deleted`);
  assert.equal((await tab.get(`${CARDS}/${waiting.uuid}`)).status, 404);
  assert.equal((await tab.get(path)).status, 404);
  assert.equal((await tab.get(`${CARDS}/${verified.uuid}`)).status, 200);
});

test("who may see and who may delete is as the roles have it", async () => {
  const shop = await openShop(service);
  const { uuid } = await verifiedCard(service, { shop });
  const page = `${CARDS}/${uuid}`;
  const expected = {
    admin: [200, true],
    developer: [200, false],
    support: [200, false],
    finance: [404, false],
    viewer: [404, false],
  } as const;
  for (const [role, [status, mayDelete]] of Object.entries(expected)) {
    const who = await makeMember(service, shop.accountNumber, role as keyof typeof expected);
    const tab = await signInTo(service, who);
    const shown = await tab.get(page);
    assert.equal(shown.status, status, role);
    assert.equal((await tab.get(CARDS)).status, status, role);
    assert.equal(shown.text.includes(`${page}/delete`), mayDelete, role);
    if (mayDelete) continue;
    assert.equal((await tab.get(`${page}/delete`)).status, 404, role);
    assert.equal((await tab.post(`${page}/delete`, {}, { from: "/console/me" })).status, 404);
  }
  const stranger = await signInTo(service, await openShop(service));
  for (const path of [page, `${page}/delete`]) assert.equal((await stranger.get(path)).status, 404);
  assert.equal((await stranger.post(`${page}/delete`, {}, { from: CARDS })).status, 404);
  const person = await signInTo(service, await service.world.person());
  const home = await person.get(CARDS);
  assert.equal(home.status, 404);
  assert.ok(!(await person.get("/console")).text.includes(`href="${CARDS}"`));
  assert.equal((await (await signInTo(service, shop)).get(page)).status, 200);
});

test("pages of many cards are walked in both directions; names are text; expired is said", async () => {
  const shop = await openShop(service);
  const { uuid } = await verifiedCard(service, { shop });
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`update trusted_cards set holder = '<i>Ann</i>', exp_month = 1, exp_year = 2020
      where card_uuid = ${uuid}`);
    // As many as two pages and one have, each a second later than the one before.
    await tx.run(sql`
      insert into trusted_cards
      select (jsonb_populate_record(card, jsonb_build_object(
        'card_uuid', gen_random_uuid(), 'transaction_id', 'SB-TT-' || lpad(n::text, 26, '0'),
        'created_at', card.created_at + make_interval(secs => n)))).*
      from trusted_cards as card, generate_series(1, 50) as n where card_uuid = ${uuid}`);
  });
  const tab = await signInTo(service, shop);
  const walk = async (path: string, rel: string) => {
    const { text } = await tab.get(path);
    const ids = [...text.matchAll(/cards\/([0-9a-f-]{36})"/g)].map(([, id = ""]) => id);
    const link = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1];
    return { ids, link: link?.replaceAll("&amp;", "&"), text };
  };
  const seen: string[] = [];
  let path: string | undefined = CARDS;
  let last = "";
  while (path !== undefined) {
    const { ids, link, text } = await walk(path, "next");
    assert.ok(!text.includes("<i>Ann"));
    assert.match(text, /Expired/);
    seen.push(...ids);
    last = path;
    path = link;
  }
  assert.equal(new Set(seen).size, 51);
  assert.equal(seen.length, 51);
  const back: string[] = [];
  for (let at: string | undefined = last; at !== undefined; ) {
    const { ids, link } = await walk(at, "prev");
    back.unshift(...ids);
    at = link;
  }
  assert.deepEqual(back, seen);
  assert.equal((await tab.get(`${CARDS}?page=nonsense`)).status, 400);
});
