/**
 * The customer reads every page of a payment in one language: the request's, else the browser's,
 * else the business's, else English. The merchant gets English, whatever the page says (Decision
 * 0095).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { LANGUAGES, type Language } from "../../../src/kit/vocabulary.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { checkoutWords } from "../../../src/words/checkout/checkout-words.ts";
import { CARDS, expectAllToAddUp, sweep } from "../../../testkit/checkout-sessions.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { ask, type Fields, minimal } from "../../../testkit/payment-requests.ts";
import { receiptPage, setBusiness } from "../../../testkit/receipts.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
const { ctx } = service;
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});
const shop = await service.world.merchant();
const { token } = await mintToken(ctx, shop, ["svc-transactions-all", "svc-user-all"]);
const own = new URL(ctx.config.http.paymentsPublicUrl).origin;
const CARD = { expiry: "09/35", cvv: "987", holder: "Maya Joseph" };
const OTHERS = LANGUAGES.filter((language) => language !== "en");

async function order(fields: Fields = {}) {
  const asked = await ask(service, minimal(shop.accountNumber, fields));
  assert.equal(asked.status, 200, asked.text);
  return { path: new URL(asked.body.url).pathname, id: asked.body.transaction_id };
}

async function open(path: string, accept?: string) {
  const headers = accept === undefined ? {} : { "accept-language": accept };
  return service.request(path, { headers });
}

function submit(path: string, form: Record<string, string>, accept: string) {
  const headers = { origin: own, "sec-fetch-site": "same-origin", "accept-language": accept };
  const proof = formToken(ctx.config, path.split("/")[2] ?? "");
  const all = { attempts: "0", form_token: proof, ...CARD, ...form };
  return service.request(path, { method: "POST", headers, form: all });
}

function langOf({ text, headers }: { text: string; headers: Headers }): string | undefined {
  const lang = /<html lang="(\w+)"/.exec(text)?.[1];
  assert.equal(headers.get("content-language"), lang);
  assert.equal(headers.get("vary"), "accept-language");
  return lang;
}

describe("the language of a payment page", () => {
  test("is the request's, whatever the browser says", async () => {
    for (const language of LANGUAGES) {
      const { path } = await order({ language });
      assert.equal(langOf(await open(path, language === "es" ? "fr" : "es")), language);
    }
  });

  test("is the browser's, else the business's, else English", async () => {
    const { path } = await order();
    assert.equal(langOf(await open(path, "nl-SR,nl;q=0.9")), "nl");
    assert.equal(langOf(await open(path)), "en");
    const set = (language: Language | null) =>
      service.request("/user/business", { method: "PATCH", token, json: { language } });
    assert.equal((await set("fr")).status, 200);
    assert.equal(langOf(await open(path)), "fr");
    assert.equal(langOf(await open(path, "de")), "fr");
    assert.equal(langOf(await open(path, "es-DO")), "es");
    await set(null);
  });

  test("has its amounts, its countries and their order", async () => {
    const { path } = await order({ total: "1234.50", fee_structure: "merchant_absorb" });
    assert.match((await open(path, "fr")).text, /1\u202f234,50\u00a0TTD/);
    assert.match((await open(path, "nl")).text, /TTD\u00a01\.234,50/);
    const { text } = await open(path, "es");
    assert.match(text, /TTD\u00a01,234\.50/);
    const names = [...text.matchAll(/<option value="[A-Z]{2}">([^<(]+)(?=<)/g)].map(
      ([, name]) => name,
    );
    assert(names.includes("Países Bajos") && names.includes("Trinidad y Tobago"), names.join());
  });
});

describe("the receipt of a payment", () => {
  const pay = async (fields: Fields, accept: string) => {
    const { path, id } = await order(fields);
    await submit(path, { number: "4111111111111111" }, accept);
    return id;
  };
  const receiptOf = async (id: string) => {
    const page = await receiptPage(service, id);
    assert.equal(page.headers.get("content-language"), /<html lang="(\w+)"/.exec(page.text)?.[1]);
    return page.headers.get("content-language");
  };

  test("is in the language in which the customer paid, whatever the business's", async () => {
    await setBusiness(service, shop, { language: "nl" });
    for (const language of LANGUAGES)
      assert.equal(await receiptOf(await pay({}, `${language},de;q=0.2`)), language);
    assert.equal(await receiptOf(await pay({}, "pt-BR")), "nl", "as the page was");
    assert.equal(await receiptOf(await pay({ language: "es" }, "fr")), "es");
    await setBusiness(service, shop, {});
  });

  test("stays in it when the answer comes later", async () => {
    const { path, id } = await order();
    await submit(path, { number: CARDS.unknownThenApproved }, "fr-GP");
    for (let round = 0; round < 5; round += 1) {
      await service.clock.advance({ seconds: 30 });
      await sweep(service);
    }
    assert.equal(await receiptOf(id), "fr");
  });
});

for (const language of OTHERS)
  describe(`a customer who reads ${language}`, () => {
    const t = checkoutWords(language);

    test("reads what is wrong with a form, and why a card was declined", async () => {
      const { path } = await order();
      const wrong = await submit(path, { number: "4", cvv: "" }, language);
      assert.equal(wrong.status, 422);
      assert.equal(langOf(wrong), language);
      for (const words of [t.problems.heading(2), t.fields.cvv.missing, t.fields.number.notValid])
        assert(wrong.text.includes(words), words);
      const declined = await submit(path, { number: "4111111111113333" }, language);
      assert(declined.text.includes(t.declined.reason("05", "")), declined.text);
      assert.doesNotMatch(declined.text, /Transaction is declined/);
    });

    test("reads how it ended, and the merchant reads it in English", async () => {
      const { path } = await order();
      const headers = { origin: own, "sec-fetch-site": "same-origin", "accept-language": language };
      const form = { form_token: formToken(ctx.config, path.split("/")[2] ?? "") };
      const back = await service.request(`${path}/back`, { method: "POST", headers, form });
      const told = new URL(back.headers.get("location") ?? "").searchParams.get("message");
      assert.equal(told, "[2-R17]: The customer went back without paying.");
      const ended = await open(path, language);
      assert.equal(ended.status, 410);
      assert(ended.text.includes(t.ended.notPaid.heading));
      assert(ended.text.includes(t.declined.reason("17", "")));
      const status = await open(`${path}/status`, language);
      assert.equal(status.body.heading, t.ended.notPaid.heading);
    });

    test("reads pages that know of no payment", async () => {
      const nothing = await open(`/checkout/${"a".repeat(43)}`, language);
      assert.equal(langOf(nothing), language);
      assert(nothing.text.includes(t.notFound.heading));
      const { path } = await order();
      const headers = { "accept-language": language };
      const foreign = await service.request(path, { method: "POST", headers, form: CARD });
      assert.equal(foreign.status, 403);
      assert(foreign.text.includes(t.refused.heading));
    });

    test("reads that a request was refused, with the reason for the shop", async () => {
      const fields = minimal(shop.accountNumber, { response_url: "no address", language });
      const headers = { accept: "text/html" };
      const refused = await ask(service, fields, "form", { headers });
      assert.equal(langOf(refused), language);
      assert(refused.text.includes(t.notStarted.heading), refused.text);
    });
  });
