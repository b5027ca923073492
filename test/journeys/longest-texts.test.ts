/**
 * The longest words that a business and a language may bring, on the narrowest screen and on wide
 * ones: nothing is wider than the page, nothing is cut off, and no amount is broken in two, in any
 * state of the payment page, on a link's pages, on the receipt and in its mail.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { money } from "../../src/kit/money.ts";
import { LANGUAGES, type Language } from "../../src/kit/vocabulary.ts";
import type { CheckoutView } from "../../src/modules/checkout/page/checkout-view.ts";
import { renderPage, renderPlainPage } from "../../src/modules/checkout/page/render-page.ts";
import type { LinkPage } from "../../src/modules/payment-links/link-document.ts";
import { findOffer, type Offer } from "../../src/modules/payment-links/offer.ts";
import { renderOffer } from "../../src/modules/payment-links/render-offer.ts";
import { renderClosed, renderDone } from "../../src/modules/payment-links/render-outcome.ts";
import { checkoutWords } from "../../src/words/checkout/checkout-words.ts";
import { linkWords } from "../../src/words/link/link-words.ts";
import { moneyIn } from "../../src/words/locale.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { startBrowser } from "../../testkit/browser.ts";
import { BASE_VIEW, CARD_STEP, STATES, stateIn } from "../../testkit/checkout-views.ts";
import { makeLink } from "../../testkit/payment-links.ts";
import { deliverReceipts, paidBy, receiptPage, setBusiness } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";

const WIDTHS = [320, 390, 768, 1280];
/** The narrowest of one column and of two. States differ in what stands in them, not around. */
const NARROW = [320, 768];
const HEIGHT = 800;

const NAME = `${"Wochenmarkthalle".repeat(4)}`.slice(0, 60);
const DESCRIPTION = "WW".repeat(128).slice(0, 255);
const HUGE = money("TTD", 99_999_999_999n);
const LONG_NAME = "M".repeat(100);
const EACH = 1_000_000n;
/** Together they cost as much as is paid. */
const ITEMS = Array.from({ length: 50 }, (_, at) => ({
  name: at % 2 === 0 ? LONG_NAME : "A book of the sea, second edition, with maps",
  quantity: at === 49 ? 1 : 1 + (at % 2),
  unit_price_minor: Number(at === 49 ? HUGE.minor - EACH * 73n : EACH),
}));

const service = await startService();
const browser = await startBrowser();
const shop = await openShop(service);
const offer = await longOffer();
after(async () => {
  await browser.close();
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

async function longOffer(): Promise<Offer> {
  const { url } = await makeLink(service, { token: shop.token });
  const found = await findOffer(service.ctx.db, url.split("/").at(-1));
  assert(found !== undefined);
  return {
    ...found,
    shop: NAME,
    title: "W".repeat(80),
    description: DESCRIPTION,
    reference_label: "W".repeat(40),
    success_message: DESCRIPTION,
    amount_minor: HUGE.minor,
    items: ITEMS,
    website: `https://${"long".repeat(30)}.example.com/`,
    support_email: `${"l".repeat(64)}@${"long".repeat(20)}.example.com`,
    support_phone: "+18686221234",
  };
}

/**
 * What is wider than what holds it, cut off, or an amount on two lines; folded parts opened. In a
 * mail the name of an item, with the price of a piece in it, may be broken anywhere.
 */
const BROKEN = `(() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const root = document.documentElement;
  const found = root.scrollWidth > root.clientWidth ? ["the page: " + root.scrollWidth] : [];
  const named = ({ tagName, className, textContent }) =>
    tagName + "." + className + ": " + textContent.trim().slice(0, 40);
  for (const each of document.body.querySelectorAll("*")) {
    if (each.closest(".unseen, svg, [hidden], option")) continue;
    if (each.getClientRects().length === 0) continue;
    const { left, right } = each.getBoundingClientRect();
    const holder = (each.closest(".sheet") ?? root).getBoundingClientRect();
    if (right > holder.right + 1 || left < holder.left - 1) found.push("outside: " + named(each));
    if (!each.matches("input, select") && each.scrollWidth > each.clientWidth + 1
      && getComputedStyle(each).display !== "inline") found.push("cut: " + named(each));
  }
  for (const term of document.querySelectorAll(".facts dt"))
    for (const { index, 0: word } of term.textContent.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(term.firstChild, index);
      range.setEnd(term.firstChild, index + word.length);
      if (range.getClientRects().length > 1) found.push("broken: " + word);
    }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const match = /TTD\\u00a0[\\d.,\\u2212]*\\d|\\d[\\d.,\\u202f]+\\u00a0TTD/.exec(data);
    if (match === null || parentElement.closest(".unseen, [hidden], th")) continue;
    const { index, 0: amount } = match;
    const range = document.createRange();
    range.setStart(texts.currentNode, index);
    range.setEnd(texts.currentNode, index + amount.length);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (lines.size > 1) found.push("broken: " + amount);
  }
  return [...new Set(found)].slice(0, 5);
})()`;

/** The pages are shown at an address of the service, which has their styles and scripts. */
async function openWindow(): Promise<{ page: Page; show: (html: string) => Promise<void> }> {
  const page = await browser.page({ viewport: { width: WIDTHS[0] ?? 0, height: HEIGHT } });
  let body = "";
  await page.route(`${service.url}/checkout/x`, (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body }),
  );
  // What its script asks for meanwhile.
  await page.route(`${service.url}/checkout/x/**`, (route) => route.abort());
  return {
    page,
    async show(html) {
      body = html;
      await page.goto(`${service.url}/checkout/x`, { waitUntil: "load" });
    },
  };
}

async function expectWhole(page: Page, name: string, widths = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    const broken = await page.evaluate<string[]>(BROKEN);
    assert.deepEqual(broken, [], `${name} at ${width}`);
  }
}

function longView(language: Language, layout: CheckoutView["layout"], step: CheckoutView["step"]) {
  const t = checkoutWords(language);
  const view: CheckoutView = {
    ...BASE_VIEW,
    layout,
    merchant: { name: NAME },
    orderId: "W".repeat(64),
    description: DESCRIPTION,
    items: ITEMS.map(({ name }) => ({ name, quantity: 9_999, amount: HUGE })),
    amounts: { price: HUGE, fee: HUGE, total: HUGE },
    feeIs: "shared",
    receiptUrl: "https://pay.example.com/receipts/x",
    step: stateIn(t, step),
  };
  return renderPage(view, { t, nonce: "nonce" });
}

for (const language of LANGUAGES)
  describe(`in ${language}`, () => {
    const t = checkoutWords(language);
    const stored = { card: t.card.endingIn("Mastercard", "1111"), expiry: "09 / 29" };
    const states = { ...STATES, "saved card": { ...CARD_STEP, stored } };

    for (const layout of ["full", "simple"] as const)
      test(`the ${layout} payment page holds in every state`, async () => {
        const { page, show } = await openWindow();
        for (const [name, step] of Object.entries(states)) {
          await show(longView(language, layout, step));
          const widths = name === "card" ? WIDTHS : NARROW;
          await expectWhole(page, `${language}-${layout}-${name}`, widths);
        }
        for (const words of [t.notFound, t.gone, t.refused]) {
          await show(renderPlainPage(words, t));
          await expectWhole(page, `${language}-${layout}-${words.heading}`, NARROW);
        }
        await page.context().close();
      });

    test("the simple page with an ordinary order fits a frame of 400 by 560", async () => {
      const { page, show } = await openWindow();
      await page.setViewportSize({ width: 400, height: 560 });
      await show(
        renderPage({ ...BASE_VIEW, layout: "simple", step: CARD_STEP }, { t, nonce: "n" }),
      );
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      assert(height <= 560, `it is ${height} high`);
      await page.context().close();
    });

    test("a link's pages hold", async () => {
      const { page, show } = await openWindow();
      const words = linkWords(language);
      const total = moneyIn(language, HUGE);
      const reference = "W".repeat(40);
      const facts = { total, reference, receiptUrl: "/receipts/y", isOpen: true };
      const form = {
        orderId: "L123456789012345",
        formToken: "token",
        typed: { amount: total, reference: DESCRIPTION },
        problems: { amount: words.problems.amount, reference: words.problems.cardNumber },
      };
      const open = {
        ...offer,
        amount_minor: null,
        amount_min_minor: 1n,
        amount_max_minor: HUGE.minor,
      };
      for (const isFramed of [false, true]) {
        const made: LinkPage = { t: words, language, isFramed, nonce: "nonce" };
        const pages = {
          offer: renderOffer(made, offer, form),
          amount: renderOffer(made, open, form),
          paid: renderDone(made, offer, { outcome: "paid", ...facts }),
          unknown: renderDone(made, offer, { outcome: "notKnown", ...facts }),
          full: renderClosed(made, offer, "full"),
          one: renderClosed(made, { ...offer, max_payments: 1 }, "full"),
        };
        for (const [name, html] of Object.entries(pages)) {
          await show(html);
          await expectWhole(page, `${language}-link-${name}-${isFramed ? "simple" : "full"}`);
        }
      }
      await page.context().close();
    });

    test("the receipt and its mail hold", async () => {
      await setBusiness(service, shop, {
        business_name: NAME,
        support_email: "l".repeat(64).concat("@example.com"),
        website: `https://${"long".repeat(15)}.example.com/`,
      });
      const order = { language, description: DESCRIPTION, items: ITEMS };
      const id = await paidBy(service, shop, { total: HUGE, order });
      await receiptPage(service, id);
      await deliverReceipts(service);
      const { body } = await service.request("/dev/mail.json");
      const mail = body.find(({ text }: { text: string }) => text.includes(id));
      const address = /href="([^"]*\/receipts\/[^"]*)"/.exec(mail.html)?.[1] ?? "";
      const page = await browser.page();
      await page.goto(`${service.url}${new URL(address).pathname}`);
      await expectWhole(page, `${language}-receipt`);
      await page.context().close();
      // A mail has no address, and nobody's policy.
      const reader = await browser.page();
      await reader.setContent(mail.html);
      await expectWhole(reader, `${language}-mail`);
      await reader.context().close();
    });
  });
