/**
 * Payment links in the console: made, changed, switched off and on by the rules of the API, and
 * shown with what they came to (Decisions 0099 and 0100).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { hiddenOf, signInTo } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const LINKS = "/console/links";
const NEW = `${LINKS}/new`;
const CLASS = { title: "Yoga <class>", currency: "TTD", fee_structure: "customer_pay" };

async function shop() {
  const who = await service.world.merchant();
  const { access_token: token } = await who.signIn();
  const all = async () => {
    const answer = await service.request("/payment-links?environment=sandbox", { token });
    return answer.body.data;
  };
  const tab = await signInTo(service, who);
  await tab.post("/console/environment", { environment: "sandbox" });
  const make = async (form: Record<string, string>) => {
    const made = await tab.post(NEW, { ...CLASS, ...form }, { from: NEW });
    assert.equal(made.status, 303, made.text);
    return (made.headers.get("location") ?? "").split("?")[0] ?? "";
  };
  return { who, token, all, tab, make };
}

test("the first page says what a link is", async () => {
  const { tab } = await shop();
  const { text } = await tab.get(LINKS);
  assert.match(text, /Get paid without a shop/);
  assert.match(text, /href="\/console\/links\/new"/);
});

test("a link is made once, however often the form is sent, and is shown with its QR code", async () => {
  const { tab, all } = await shop();
  const form = { ...hiddenOf(await tab.get(NEW)), ...CLASS, amount: "1,250.00", label: "Classes" };
  const send = () =>
    service.request(NEW, {
      method: "POST",
      form,
      headers: { cookie: tab.cookie, origin: service.url },
    });
  const [one, two] = await Promise.all([send(), send()]);
  assert.equal(one.headers.get("location"), two.headers.get("location"), one.text);
  const links = await all();
  assert.equal(links.length, 1);
  const [link] = links;
  assert.deepEqual([link.amount, link.label, link.state], ["1250.00", "Classes", "open"]);
  const page = (await tab.get(one.headers.get("location") ?? "")).text;
  assert.match(page, /<h1[^>]*>Yoga &lt;class&gt;</);
  assert.ok(page.includes(link.url));
  assert.match(page, /src="\/pay\/[2-9a-z]{14}\/qr\.svg"/);
  const [, shared = ""] = /href="https:\/\/wa\.me\/\?text=([^"]*)"/.exec(page) ?? [];
  assert.equal(decodeURIComponent(shared), `Yoga <class> ${link.url}`);
  assert.ok(page.includes(`data-share="${link.url}"`));
  assert.match(page, /payment_link=/);
  assert.match((await tab.get(LINKS)).text, /Yoga &lt;class&gt;/);
});

test("the customer may choose within bounds; what was typed is kept when it is refused", async () => {
  const { tab, all } = await shop();
  const typed = { ...CLASS, amount_min: "50", amount_max: "10", success_message: "See you!" };
  const refused = await tab.post(NEW, typed, { from: NEW });
  assert.equal(refused.status, 400);
  assert(refused.text.includes("“To” must not be less than “From”."), refused.text);
  assert.match(refused.text, /value="50"/);
  assert.match(refused.text, /<details class="more" open>/);
  assert.deepEqual(await all(), []);
  const made = await tab.post(NEW, { ...typed, amount_max: "500" }, { from: NEW });
  assert.equal(made.status, 303, made.text);
  const [link] = await all();
  assert.deepEqual([link.amount, link.amount_min, link.amount_max], [null, "50.00", "500.00"]);
});

test("a form that is refused is spoken of in the words of its labels", async () => {
  const { tab, all } = await shop();
  for (const [form, said] of [
    [{}, "Enter an amount, or “From” and “To”."],
    [{ amount: "5", amount_max: "9" }, "Enter an amount, or “From” and “To”, not both."],
    [{ amount_min: "5" }, "“To” is required."],
    [{ amount: "5", title: "" }, "“What is paid for” is required."],
    [{ amount: "5", expires_at: "2001-01-01" }, "“Last day” must be in the future."],
  ] as const) {
    const { status, text } = await tab.post(NEW, { ...CLASS, ...form }, { from: NEW });
    assert.equal(status, 400);
    assert(text.includes(said), said);
    assert.doesNotMatch(text, /Send amount|The amount|The title/);
  }
  assert.deepEqual(await all(), []);
});

test("all but the price is changed; a day means the whole day at home", async () => {
  const { tab, all, make } = await shop();
  const href = await make({ amount: "20.00", expires_at: "2099-06-30", max_payments: "5" });
  assert.equal((await all())[0].expires_at, "2099-07-01T04:00:00.000Z");
  const form = (await tab.get(`${href}/change`)).text;
  assert.match(form, /value="2099-06-30"/);
  assert.doesNotMatch(form, /name="amount"/);
  const change = { title: "Pilates", expires_at: "2099-06-30", max_payments: "", language: "nl" };
  const saved = await tab.post(`${href}/change`, change, { from: `${href}/change` });
  assert.equal(saved.headers.get("location"), `${href}?done=saved`, saved.text);
  const { title, expires_at, max_payments, language, amount } = (await all())[0];
  assert.deepEqual(
    { title, expires_at, max_payments, language, amount },
    {
      title: "Pilates",
      expires_at: "2099-07-01T04:00:00.000Z",
      max_payments: null,
      language: "nl",
      amount: "20.00",
    },
  );
});

test("it is switched off and on again", async () => {
  const { tab, all, make } = await shop();
  const href = await make({ amount: "20.00" });
  const off = await tab.post(`${href}/off`, {}, { from: href });
  assert.equal(off.headers.get("location"), `${href}?done=link_off`, off.text);
  assert.equal((await all())[0].state, "off");
  assert.match((await tab.get(href)).text, /Switched off/);
  await tab.post(`${href}/on`, {}, { from: href });
  assert.equal((await all())[0].state, "open");
});
