/**
 * Webhooks in the console: a secret is shown once, a delivery that failed says why in words, and
 * what was missed is sent again. What receivers answer is shown as text (Decisions 0033, 0085).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { hiddenOf, makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { type Behaviour, startReceiver } from "../../testkit/receivers.ts";
import { dumpTables } from "../../testkit/secrets-search.ts";
import { startService } from "../../testkit/service.ts";
import { newEvent, recordAll } from "../../testkit/webhooks.ts";

const service = await startService();
after(async () => {
  await service.ctx.messenger.stop();
  await service.stop();
});

const WEBHOOKS = "/console/developers/webhooks";
const NEW = `${WEBHOOKS}/new`;
const HOSTILE = `<script>alert("1")</script>`;

async function openShop() {
  const shop = await service.world.merchant();
  return { shop, tab: await signInTo(service, shop) };
}

async function addEndpoint(tab: Tab, form: Record<string, string>) {
  const answer = await tab.post(NEW, form, { from: NEW });
  const id = new RegExp(`${WEBHOOKS}/([0-9a-f-]{36})"`).exec(answer.text)?.[1] ?? "";
  const secret = /whsec_[\w+/=]+/.exec(answer.text)?.[0] ?? "";
  return { answer, id, secret, path: `${WEBHOOKS}/${id}` };
}

/** A shop whose endpoint leads to a receiver that behaves so. */
async function shopAt(behaviour: Behaviour) {
  const receiver = await startReceiver(behaviour);
  after(() => receiver.close());
  const { shop, tab } = await openShop();
  const endpoint = await addEndpoint(tab, { url: receiver.url, description: "Shop" });
  assert.equal(endpoint.answer.status, 200, endpoint.answer.text);
  const { accountNumber } = shop;
  return {
    shop,
    tab,
    receiver,
    ...endpoint,
    async happen() {
      const event = newEvent({ accountNumber, environment: "sandbox" }, {});
      await recordAll(service.ctx, [event]);
      await service.numberEvents();
    },
    deliver: () => service.ctx.messenger.deliver(endpoint.id),
    /** The page of the newest delivery. */
    async delivery() {
      const page = await tab.get(endpoint.path);
      const [href = ""] =
        new RegExp(`${endpoint.path}/deliveries/[0-9a-f-]{36}`).exec(page.text) ?? [];
      return { href, ...(await tab.get(href)) };
    },
  };
}

test("the secret of an endpoint is shown once, and a double click makes one endpoint", async () => {
  const { tab } = await openShop();
  const form = {
    ...hiddenOf(await tab.get(NEW)),
    url: "https://shop.example.com/once",
    which: "some",
    "payment.success": "yes",
  };
  const { answer, id, secret, path } = await addEndpoint(tab, form);
  assert.equal(answer.status, 200, answer.text);
  assert.match(secret, /^whsec_/);
  const again = await tab.post(NEW, form, { from: NEW });
  assert.equal(again.headers.get("location"), `${path}?done=secret`);
  const page = await tab.get(path);
  assert.match(page.text, /payment\.success/);
  const kept = [page.text, ...service.logged, ...(await dumpTables(service.ctx.db))];
  assert.ok(!kept.some((line) => line.includes(secret)));
  const rotated = await tab.post(`${path}/rotate`, {}, { from: `${path}/rotate` });
  assert.match(rotated.text, /whsec_/);
  assert.match(rotated.text, /signs beside it for 24 hours/);
  const taken = await tab.post(NEW, { url: form.url }, { from: NEW });
  assert.equal(taken.status, 409);
  assert.match(taken.text, new RegExp(`value="${form.url}"`), "what was typed stays");
  assert.ok(id !== "");
});

test("a failure is explained, and after mending the receiver a replay delivers", async () => {
  const shop = await shopAt((_request, response) => void response.writeHead(500).end(HOSTILE));
  await shop.happen();
  await shop.deliver();
  const list = await shop.tab.get(shop.path);
  assert.match(list.text, /Failing/);
  assert.match(list.text, /Your server failed \(500\)/);
  const failed = await shop.delivery();
  assert.match(failed.text, /Your server failed \(500\)/);
  assert.match(failed.text, /Look at this moment in its logs/);
  assert.match(failed.text, /&lt;script&gt;alert/);
  assert.doesNotMatch(failed.text, /<script>alert/);
  shop.receiver.behave("well");
  const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const form = { since, until: "", only_failed: "yes" };
  const replay = await shop.tab.post(`${shop.path}/replay`, form, { from: shop.path });
  assert.equal(replay.headers.get("location"), `${shop.path}?done=replayed`, replay.text);
  await shop.deliver();
  assert.match((await shop.delivery()).text, /Delivered/);
  assert.equal(shop.receiver.received.length, 2);
  assert.doesNotMatch((await shop.tab.get(shop.path)).text, /Failing/);
  const none = await shop.tab.post(`${shop.path}/replay`, form, { from: shop.path });
  assert.equal(none.headers.get("location"), `${shop.path}?done=replayed_none`);
  const crossed = { since: "2026-11-02", until: "2026-11-01" };
  const wrong = await shop.tab.post(`${shop.path}/replay`, crossed, { from: shop.path });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /The until must not be before the since/);
});

describe("reasons in words", () => {
  const CASES: readonly [string, Behaviour, RegExp][] = [
    ["not found", 404, /nothing at this address \(404\)/],
    ["redirected", "redirects", /a redirect \(302\), which is not followed/],
    ["reset", "resets", /closed before there was an answer/],
    ["refused", 403, /forbids it \(403\)/],
  ];
  for (const [name, behaviour, words] of CASES)
    test(name, async () => {
      const shop = await shopAt(behaviour);
      await shop.happen();
      await shop.deliver();
      assert.match((await shop.delivery()).text, words);
    });

  test("nothing listens", async () => {
    const shop = await shopAt("well");
    await shop.receiver.close();
    await shop.happen();
    await shop.deliver();
    assert.match((await shop.delivery()).text, /refused the connection: nothing listens there/);
  });
});

test("a delivery is sent again, and a test event arrives", async () => {
  const shop = await shopAt("well");
  await shop.happen();
  await shop.deliver();
  const { href } = await shop.delivery();
  const again = await shop.tab.post(`${href}/resend`, {}, { from: href });
  assert.equal(again.headers.get("location"), `${href}?done=sent`);
  await shop.deliver();
  assert.equal(shop.receiver.received.length, 2);
  assert.equal(shop.receiver.ids.size, 1);
  const tested = await shop.tab.post(`${shop.path}/test`, {}, { from: shop.path });
  assert.equal(tested.headers.get("location"), `${shop.path}?done=tested`);
  await service.numberEvents();
  await shop.deliver();
  assert.match(shop.receiver.received.at(-1)?.body ?? "", /"event":"webhook.test"/);
  const events = await shop.tab.get("/console/developers/events");
  assert.match(events.text, /webhook\.test/);
  const event = await shop.tab.get("/console/developers/events/2");
  assert.match(event.text, /&quot;event&quot;: &quot;webhook\.test&quot;/);
  assert.match(event.text, new RegExp(`href="${shop.path}"`));
});

test("an endpoint is disabled, enabled, changed and deleted", async () => {
  const { tab, path } = await shopAt("well");
  const set = (status: string) => tab.post(`${path}/status`, { status }, { from: path });
  assert.equal((await set("disabled")).headers.get("location"), `${path}?done=endpoint_off`);
  const off = await tab.get(path);
  assert.match(off.text, /This endpoint is disabled/);
  assert.doesNotMatch(off.text, /Send a test event/);
  assert.equal((await tab.post(`${path}/test`, {}, { from: NEW })).status, 409);
  assert.equal((await set("active")).headers.get("location"), `${path}?done=endpoint_on`);
  const form = { url: "https://shop.example.com/moved", description: HOSTILE, which: "some" };
  const none = await tab.post(`${path}/change`, form, { from: `${path}/change` });
  assert.equal(none.status, 400, "no event was ticked");
  const changed = { ...form, "payment.failed": "yes" };
  const saved = await tab.post(`${path}/change`, changed, { from: `${path}/change` });
  assert.equal(saved.headers.get("location"), `${path}?done=endpoint`);
  for (const each of [path, WEBHOOKS, `${path}/change`, `${path}/delete`]) {
    const { text } = await tab.get(each);
    assert.doesNotMatch(text, /<script>alert/, each);
  }
  const gone = await tab.post(`${path}/delete`, {}, { from: `${path}/delete` });
  assert.equal(gone.headers.get("location"), `${WEBHOOKS}?done=endpoint_removed`);
  assert.equal((await tab.get(path)).status, 404);
});

test("other accounts, the other environment and other roles have none of it", async () => {
  const shop = await shopAt("well");
  await shop.happen();
  const { href } = await shop.delivery();
  const { tab: other } = await openShop();
  for (const path of [shop.path, href, `${shop.path}/change`])
    assert.equal((await other.get(path)).status, 404, path);
  assert.equal((await other.post(`${href}/resend`, {}, { from: NEW })).status, 404);
  assert.equal((await other.post(`${shop.path}/delete`)).status, 404);
  const mine = await addEndpoint(other, { url: "https://shop.example.com/mine" });
  const crossed = href.replace(shop.id, mine.id);
  assert.equal((await other.get(crossed)).status, 404, "a delivery of another's endpoint");
  const support = await makeMember(service, shop.shop.accountNumber, "support");
  const tab = await signInTo(service, support);
  for (const path of [WEBHOOKS, shop.path, href, "/console/developers/events"])
    assert.equal((await tab.get(path)).status, 404, path);
  const first = await tab.get("/console/developers");
  assert.equal(first.headers.get("location"), "/console/developers/requests");
  await shop.tab.post("/console/environment", { environment: "live" });
  assert.equal((await shop.tab.get(shop.path)).status, 404);
});
