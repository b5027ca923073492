/**
 * The guarantee: the page of a receipt opens for holders of its address alone, runs nothing, is
 * kept nowhere, and says to the cent what the record and the mail say, in four languages (Decision
 * 0098).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import { LANGUAGES } from "../../src/kit/vocabulary.ts";
import { receiptErrorPage } from "../../src/modules/receipts/receipt-page.ts";
import { receiptUrl } from "../../src/modules/receipts/receipt-token.ts";
import { moneyIn } from "../../src/words/locale.ts";
import { receiptWords } from "../../src/words/receipt/receipt-words.ts";
import { wholeDatabase } from "../../testkit/auth.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { CARDS, look, openOrder, submit } from "../../testkit/checkout-sessions.ts";
import { deliverReceipts, paidBy, receiptPage, setBusiness } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
const { ctx } = service;
after(async () => {
  await expectBooksToBalance(ctx.db);
  await service.stop();
});

const pathOf = (id: string) => new URL(receiptUrl(ctx.config, id)).pathname;

/** What a person reads, without the space that keeps amounts together. */
function readable(page: string): string {
  return page
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'")
    .replace(/[\s\u00a0\u202f]+/g, " ");
}

async function mailed(id: string): Promise<{ text: string; html: string; subject: string }> {
  await deliverReceipts(service);
  const { body } = await service.request("/dev/mail.json");
  const mail = body.find(({ text }: { text: string }) => text.includes(id));
  assert(mail !== undefined, `a mail about ${id}`);
  return mail;
}

describe("the address of a receipt", () => {
  test("cannot be guessed from the id, nor made from another's", async () => {
    const shop = await openShop(service);
    const [id, other] = [await paidBy(service, shop), await paidBy(service, shop)];
    const path = pathOf(id);
    const [, proof = ""] = path.split(".");
    assert.equal(Buffer.from(proof, "base64url").length, 21);
    const wrong = [
      `/receipts/${id}`,
      `/receipts/${id}.`,
      `/receipts/${other}.${proof}`,
      `${path.slice(0, -1)}${path.endsWith("A") ? "E" : "A"}`,
      `/receipts/${id}.${proof.toLowerCase()}`,
      `/receipts/x.${proof}`,
      "/receipts/%00",
    ];
    for (const path of wrong) {
      const answer = await service.request(path);
      assert.equal(answer.status, 404, path);
      assert(!answer.text.includes("TTD"), path);
    }
    assert.equal((await service.request(path)).status, 200);
  });

  test("of what was not paid leads nowhere", async () => {
    const { transaction_id } = await pay(service, newPayment(await openShop(service)), DECLINED);
    const answer = await service.request(pathOf(transaction_id));
    assert.equal(answer.status, 404);
    assert.match(answer.text, /There is no such receipt/);
  });

  test("that leads nowhere says so in the browser's language", async () => {
    for (const language of LANGUAGES) {
      const headers = { "accept-language": `pt, ${language}-XX;q=0.5` };
      const answer = await service.request("/receipts/nothing", { headers });
      assert.equal(answer.status, 404);
      assert.equal(answer.headers.get("content-language"), language);
      assert.match(answer.text, new RegExp(`<html lang="${language}"`));
      const { heading, text } = receiptWords(language).notFound;
      for (const words of [heading, text]) assert(readable(answer.text).includes(words), words);
    }
  });

  test("says in the browser's language that it cannot be shown now", () => {
    for (const language of LANGUAGES) {
      const call = { refusal: { message: "Service Unavailable" }, params: {}, body: undefined };
      const { body } = receiptErrorPage(503, { ...call, header: () => language });
      const { heading, text } = receiptWords(language).trouble;
      for (const words of [heading, text]) assert(readable(String(body)).includes(words), words);
      assert.doesNotMatch(String(body), /Service Unavailable/);
    }
  });

  test("that is asked for too often says so on a page", async () => {
    const strict = await startService({ settings: { LIMIT_GENERAL: "1" } });
    try {
      assert.equal((await strict.request("/receipts/nothing")).status, 404);
      const answer = await strict.request("/receipts/nothing");
      assert.equal(answer.status, 429);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      assert(readable(answer.text).includes(receiptWords("en").trouble.text));
    } finally {
      // Here it is held against the document, as every answer is.
      await strict.stop();
    }
  });

  test("is neither stored nor logged", async () => {
    const id = await paidBy(service, await openShop(service));
    await service.request(pathOf(id));
    const proof = pathOf(id).split(".")[1] ?? "";
    assert.match(proof, /^.{28}$/);
    const [stored, logged] = [await wholeDatabase(service), service.logged.join("\n")];
    assert(stored.includes(id) && logged.includes("/receipts/:token"), "the visit left something");
    for (const place of [stored, logged]) assert(!place.includes(proof));
  });
});

describe("the page", () => {
  test("runs nothing, loads our own, and is kept nowhere", async () => {
    const { headers, text } = await receiptPage(
      service,
      await paidBy(service, await openShop(service)),
    );
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src/);
    assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script|unsafe/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("set-cookie"), null);
    assert.match(text, /<meta name="robots" content="noindex, nofollow">/);
    assert.doesNotMatch(text, /<script|style=|anika@example\.com/);
  });

  test("says that a sandbox payment moved no money, and shows the logo", async () => {
    const shop = await openShop(service);
    const logo = "a".repeat(32);
    await ctx.db.run(sql`
      insert into logos (account_number, logo_id, width, height, bytes)
      values (${shop.accountNumber}, ${logo}, 240, 80, ${Buffer.from("png")})`);
    const id = await paidBy(service, shop, { environment: "sandbox" });
    const { text } = await receiptPage(service, id);
    assert.match(text, /This is a test payment\. No money was moved\./);
    assert.match(text, new RegExp(`src="/logos/${logo}" width="240" height="80"`));
  });

  test("is linked from the page that says that it was paid, and from no other", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.approved);
    const paid = await service.request(`/checkout/${order.token}`);
    assert(paid.text.includes(`href="${receiptUrl(ctx.config, order.id)}"`));
    const declined = await openOrder(service);
    for (let tries = 0; tries < 5; tries += 1) await submit(service, declined, CARDS.declined);
    assert.equal((await look(service, declined)).step.kind, "ended");
    const failed = await service.request(`/checkout/${declined.token}`);
    assert.doesNotMatch(failed.text, /\/receipts\//);
  });
});

describe("each language", () => {
  for (const language of LANGUAGES)
    test(`${language}: mail and page, by the payment's or else the business's`, async () => {
      const words = receiptWords(language);
      const shop = await openShop(service);
      await setBusiness(service, shop, { language, support_email: "help@example.com" });
      const asked = await openShop(service);
      await setBusiness(service, asked, { language: language === "en" ? "nl" : "en" });
      const order = { language, description: "Two books", items: null };
      for (const id of [
        await paidBy(service, shop),
        await paidBy(service, asked, { order: { ...order, items: undefined } }),
      ]) {
        const page = await receiptPage(service, id);
        const mail = await mailed(id);
        assert.match(page.text, new RegExp(`<html lang="${language}"`));
        assert.match(mail.html, new RegExp(`<html lang="${language}"`));
        assert(mail.subject.includes(words.title("Sea Grape Books")), mail.subject);
        for (const label of [words.total, words.card, words.date, words.reference]) {
          assert(readable(page.text).includes(label), label);
          assert(mail.text.includes(`\n${label}${language === "fr" ? "\u00a0" : ""}: `), label);
        }
      }
    });

  test("has every sentence of the others, and none of them in English", () => {
    const texts = (value: unknown): string[] => {
      if (typeof value === "function") return [value("1", "2", "3")];
      if (typeof value === "object" && value !== null) return Object.values(value).flatMap(texts);
      return [String(value)];
    };
    const english = texts(receiptWords("en"));
    const same = new Set(["Test", "Date", "E-mail", "Website"]);
    for (const language of LANGUAGES.filter((one) => one !== "en")) {
      const own = texts(receiptWords(language));
      assert.equal(own.length, english.length);
      const untranslated = own.filter((text) => english.includes(text) && !same.has(text));
      assert.deepEqual(untranslated, [], language);
    }
  });
});

test("mail, page and record agree to the cent, whatever the items, the fee and its payer", async () => {
  const shop = await openShop(service);
  const item = fc.record({
    name: fc.constantFrom("Book", "Tea & cake", "It's", "Ré"),
    quantity: fc.integer({ min: 1, max: 40 }),
    unit_price_minor: fc.integer({ min: -500, max: 50_000 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("customer_pay", "merchant_absorb", "split" as const),
      async (items, feeStructure) => {
        const sum = items.reduce((sum, one) => sum + one.quantity * one.unit_price_minor, 0);
        fc.pre(sum >= 1_000 && sum <= 2_000_000);
        const total = money("TTD", BigInt(sum));
        const order = { language: undefined, description: undefined, items };
        const id = await paidBy(service, shop, { total, feeStructure, order });
        const { body } = await service.request(`/transactions/${id}`, { token: shop.token });
        const page = readable((await receiptPage(service, id)).text);
        const mail = (await mailed(id)).text.replace(/[\u00a0\u202f]/g, " ");
        const written = (minor: bigint) =>
          moneyIn("en", money("TTD", minor)).replace("\u00a0", " ");
        const { customer_total: paid } = body.data;
        const shown = [
          ...items.map((one) => BigInt(one.quantity * one.unit_price_minor)),
          BigInt(paid.replace(".", "")),
          ...(paid === body.data.total ? [] : [BigInt(sum)]),
        ];
        for (const minor of shown)
          for (const text of [page, mail])
            assert(` ${text} `.includes(` ${written(minor)}`), `${written(minor)} in ${text}`);
        const fee = BigInt(paid.replace(".", "")) - BigInt(sum);
        assert.equal(/Processing fee/.test(page), fee !== 0n);
        assert.equal(/Processing fee/.test(mail), fee !== 0n);
      },
    ),
    { numRuns: 25 },
  );
});
