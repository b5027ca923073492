// The guarantee: whatever a merchant or a customer wrote stands on the page as text, the card
// number and the security code never stand on it, and every state has its heading and its
// reference.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type FormValues, keptValues } from "../../src/modules/checkout/form/form-values.ts";
import type { CheckoutView } from "../../src/modules/checkout/page/checkout-view.ts";
import { renderPage, renderPlainPage } from "../../src/modules/checkout/page/render-page.ts";
import { english as t } from "../../src/words/checkout/en.ts";
import { BASE_VIEW, CARD_STEP, STATES } from "../../testkit/checkout-views.ts";

const NASTY = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&\u202e{{7*7}}<%= 1 %>`;
const page = (view: CheckoutView) => renderPage(view, { t, nonce: "nonce" });

describe("a page", () => {
  test("writes every foreign word as text", () => {
    const html = page({
      ...BASE_VIEW,
      merchant: { name: NASTY },
      orderId: NASTY,
      step: {
        ...CARD_STEP,
        values: { holder: NASTY, addr1: NASTY, phone: NASTY, country: NASTY, state: NASTY },
        problems: [{ field: "holder", message: NASTY }],
      },
    });
    assert.equal(html.match(/<script/g)?.length, 1, "only its own script");
    assert.doesNotMatch(html, /<img|onerror=alert\(1\)>[^&]/);
    assert.match(html, /&lt;script&gt;alert\(1\)/);
    const ended = page({
      ...BASE_VIEW,
      step: { ...STATES["not paid"], message: NASTY, returnUrl: `https://a.example/?a="><script>` },
    } as CheckoutView);
    assert.equal(ended.match(/<script/g)?.length, 1);
  });

  test("keeps what was typed, but never card number, expiry and security code", () => {
    const typed: FormValues = {
      number: "4111111111111111",
      cvv: "987",
      holder: "Maya Joseph",
      expiry: "08 / 31",
    };
    const html = page({ ...BASE_VIEW, step: { ...CARD_STEP, values: keptValues(typed) } });
    assert.match(html, /value="Maya Joseph"/);
    assert.doesNotMatch(html.replaceAll(" ", ""), /4111111111111111"|08\/31|value="987"/);
  });

  test("has no style, script or handler in its text", () => {
    for (const step of Object.values(STATES)) {
      const html = page({ ...BASE_VIEW, step });
      assert.doesNotMatch(html, /<style| style=| on[a-z]+=|javascript:/);
      assert.match(html, /<script src="\/checkout\/assets\/[^"]+" integrity="sha384-[^"]+"/);
      assert.match(html, /<link rel="stylesheet" href="[^"]+" integrity="sha384-[^"]+"/);
    }
  });

  test("names the merchant and the total in every state, and the reference in every end", () => {
    for (const [name, step] of Object.entries(STATES)) {
      const html = page({ ...BASE_VIEW, step });
      assert.match(html, /Sea Grape Books/, name);
      assert.match(html, /TTD\u00a0105\.20/, name);
      assert.equal(html.match(/<h1[ >]/g)?.length, step.kind === "ended" ? 1 : 2, name);
      if (step.kind === "ended") assert(html.includes(BASE_VIEW.reference), name);
    }
  });

  test("says in words what the fee is and who pays it", () => {
    const step = CARD_STEP;
    assert.match(
      page({ ...BASE_VIEW, step, feeIs: "shared" }),
      /your half of the card processing fee/,
    );
    assert.match(page({ ...BASE_VIEW, step, feeIs: "merchant's" }), /No fee for you/);
    assert.doesNotMatch(page({ ...BASE_VIEW, step, feeIs: "merchant's" }), /Processing fee/);
  });

  test("shows each problem in the summary and at its field, tied together", () => {
    const problems = [{ field: "expiry", message: "This card has expired." }] as const;
    const html = page({ ...BASE_VIEW, step: { ...CARD_STEP, problems } });
    assert.match(html, /<a href="#expiry">This card has expired\.<\/a>/);
    assert.match(html, /id="expiry-wrong">This card has expired\.</);
    assert.match(html, /id="expiry"[^>]*aria-invalid="true"[^>]*aria-describedby="expiry-wrong/);
    assert.match(html, /<title>Please check: /);
  });

  test("asks for a state only where the billing country has some", () => {
    const of = (country: string) => {
      const step = { ...CARD_STEP, isAvs: true, values: { country } };
      return page({ ...BASE_VIEW, step });
    };
    assert.match(of("US"), /<div id="states">\s*[\s\S]*<select id="state"[^>]* required/);
    assert.match(of("AW"), /<div id="states" hidden>/);
    assert.doesNotMatch(of("AW"), /<select id="state"[^>]* required/);
  });

  test("calls the state optional only where it is: never where the bank compares addresses", () => {
    const labelOf = (isAvs: boolean, country?: string) => {
      const values = country === undefined ? {} : { country };
      const html = page({ ...BASE_VIEW, step: { ...CARD_STEP, isAvs, values } });
      return /<label for="state">[\s\S]*?<\/label>/.exec(html)?.[0] ?? "";
    };
    // Without a country, or with one that has no states, it is hidden until a script shows it.
    for (const country of ["TT", "US", "JM", "AW", undefined]) {
      assert.doesNotMatch(labelOf(true, country), /optional/);
      assert.match(labelOf(false, country), /\(optional\)/);
    }
  });

  test("asks of a saved card its code only, which has three digits", () => {
    const stored = { card: "Visa ending in 1111", expiry: "09 / 29" };
    const html = page({ ...BASE_VIEW, step: { ...CARD_STEP, stored } });
    assert.match(html, /<strong>Visa ending in 1111<\/strong>\s*<span[^>]*>Expires 09 \/ 29</);
    assert.match(html, /<input id="cvv"[^>]* pattern="\\s\*\[0-9\]\{3\}\\s\*"/);
    assert.doesNotMatch(html, /id="(?:number|holder|country|phone|networks)"|class="sandbox"/);
  });

  test("asks again by itself without scripts while it waits, and never in a noscript-less way", () => {
    const html = page({ ...BASE_VIEW, step: STATES.working });
    assert.match(
      html,
      /<noscript><meta http-equiv="refresh" content="3;url=\/checkout\/x\?waiting=1">/,
    );
  });

  test("that knows of no payment tells nothing", () => {
    const html = renderPlainPage(t.notFound, t);
    assert.match(html, /Payment page not found/);
    assert.doesNotMatch(html, /<script/);
  });
});
