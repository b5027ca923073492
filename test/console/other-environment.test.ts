/**
 * A record of the other environment than the session's opens under the band of its own, for links,
 * cards and withdrawals as for payments; what is not there keeps the menu (Decision 0085).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { signInTo, type Tab } from "../../testkit/console.ts";
import { makeLink } from "../../testkit/payment-links.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, saveCard } from "../../testkit/trusted-cards.ts";
import { NORMAL, openOwner, statusOf, withdraw } from "../../testkit/withdrawals.ts";

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

const BAND = /Sandbox: no real money moves here/;
const MENU = /<nav[^>]*aria-label="Main"/;

async function inLive(who: { readonly email: string }): Promise<Tab> {
  const tab = await signInTo(service, who);
  await tab.post("/console/environment", { environment: "live" });
  assert.doesNotMatch((await tab.get("/console")).text, BAND);
  return tab;
}

async function expectOpens(tab: Tab, path: string, name: string): Promise<void> {
  const page = await tab.get(path);
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, BAND);
  assert.match(
    page.text,
    new RegExp(`This ${name} is in the sandbox. Other pages show what is live`),
  );
}

describe("in live, of the sandbox", () => {
  test("a payment link opens, and is switched off", async () => {
    const shop = await openShop(service);
    const { id } = await makeLink(service, shop);
    const path = `/console/links/${id}`;
    const own = await (await signInTo(service, shop)).get(path);
    assert.match(own.text, /See who paid/);
    const tab = await inLive(shop);
    await expectOpens(tab, path, "link");
    const page = await tab.get(path);
    assert.doesNotMatch(page.text, /See who paid/, "the list shows payments of live");
    assert.match((await tab.get(`${path}/change`)).text, BAND);
    const off = await tab.post(`${path}/off`, {}, { from: path });
    assert.equal(off.headers.get("location"), `${path}?done=link_off`);
  });

  test("a card opens", async () => {
    const shop = await openShop(service);
    const { uuid } = await saveCard(service, { shop });
    await expectOpens(await inLive(shop), `/console/cards/${uuid}`, "card");
  });

  test("a withdrawal opens, and is cancelled", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, NORMAL);
    const tab = await inLive(owner);
    const path = `/console/withdrawals/${id}`;
    await expectOpens(tab, path, "withdrawal");
    await tab.post(`${path}/cancel`, {}, { from: path });
    assert.equal(await statusOf(service, id), "cancelled");
  });
});

test("what is not there is 404 with the menu, whatever the reason", async () => {
  const shop = await openShop(service);
  const theirs = await makeLink(service, await openShop(service));
  const tab = await inLive(shop);
  const nobodys = "00000000-0000-4000-8000-000000000000";
  for (const id of [theirs.id, nobodys, "x"]) {
    const page = await tab.get(`/console/links/${id}`);
    assert.equal(page.status, 404);
    assert.equal(page.headers.get("x-svc-error"), "not_found");
    assert.match(page.text, /There is no such page/);
    assert.match(page.text, MENU);
  }
});
