// The guarantee: a page in another language has no English left in it, in any state, for any
// purpose and in either layout; it says which language it is; and it weighs what English weighs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LANGUAGES, type Language } from "../../src/kit/vocabulary.ts";
import type { CheckoutView } from "../../src/modules/checkout/page/checkout-view.ts";
import { renderPage, renderPlainPage } from "../../src/modules/checkout/page/render-page.ts";
import {
  noChallengePage,
  questionPage,
  returnPage,
  silentPage,
} from "../../src/modules/gateway/sandbox/challenge-page.ts";
import { bankWords } from "../../src/words/bank/bank-words.ts";
import { checkoutWords } from "../../src/words/checkout/checkout-words.ts";
import type { Texts } from "../../src/words/checkout/en.ts";
import { BASE_VIEW, CARD_STEP, STATES, stateIn } from "../../testkit/checkout-views.ts";

const PURPOSES = ["payment", "card", "charge"] as const;
const OTHERS = LANGUAGES.filter((language) => language !== "en");
/** How much longer a language may be than English. */
const LONGER_MAX = 1.25;

/** Every text of some words; of a sentence with values, the longest piece between two of them. */
function textsOf(words: object): string[] {
  return Object.values(words).flatMap((value: unknown): string[] => {
    if (typeof value === "string") return [value];
    if (typeof value !== "function") return textsOf(Object(value));
    const marker = { currency: "TTD", minor: 0n, given: "|", wanted: "|", toString: () => "|" };
    const pieces = String(value(marker, marker, marker)).split("|");
    return [pieces.toSorted((one, other) => other.length - one.length)[0] ?? ""];
  });
}

/** Words and not signs: attributes of the markup would match those. */
const isSentence = (text: string) => /\p{L}+[ ,.]+\p{L}/u.test(text);

/** English sentences that stand on a page and are none of the language's own. */
function englishIn(html: string, english: object, words: object): string[] {
  const own = textsOf(words).join("\n");
  const plain = html.replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll("&quot;", '"');
  return textsOf(english)
    .map((text) => text.trim())
    .filter((text) => isSentence(text) && plain.includes(text) && !own.includes(text));
}

function everyPage(t: Texts, purpose: CheckoutView["purpose"]): [string, string][] {
  const details = { stored: { card: t.card.endingIn("Visa", "1111"), expiry: "09 / 29" } };
  const states = { ...STATES, "a saved card": { ...CARD_STEP, ...details } };
  const pages = (["full", "simple"] as const).flatMap((layout) =>
    (["customer's", "shared", "merchant's"] as const).flatMap((feeIs) =>
      Object.entries(states).map(([name, step]): [string, string] => {
        const view = { ...BASE_VIEW, purpose, layout, feeIs, step: stateIn(t, step) };
        return [`${name}, ${layout}, ${feeIs}`, renderPage(view, { t, nonce: "nonce" })];
      }),
    ),
  );
  const plain = [t.notFound, t.gone, t.limited, { ...t.notStarted, text: "" }].map(
    (words): [string, string] => [words.heading, renderPlainPage(words, t)],
  );
  return [...pages, ...plain];
}

function bankPages(language: Language): string[] {
  const t = bankWords(language);
  const facts = { amount: t.secret, card: t.endingIn("Visa", "1111") };
  const back = { returnUrl: "/checkout/x", token: "token", result: "passed" };
  return [questionPage(t, facts), silentPage(t, facts), returnPage(t, back), noChallengePage(t)];
}

test("English is found on English pages by the means of this test", () => {
  const t = checkoutWords("en");
  const [[, html] = ["", ""]] = everyPage(t, "payment");
  const found = englishIn(html, t, checkoutWords("es"));
  for (const words of [t.card.safe, t.summary.fee, t.fields.holder.missing])
    assert(found.includes(words), words);
});

for (const language of OTHERS)
  describe(`a page in ${language}`, () => {
    for (const purpose of PURPOSES)
      test(`has no English in any state of a ${purpose}, and says its language`, () => {
        const t = checkoutWords(language, purpose);
        for (const [name, html] of everyPage(t, purpose)) {
          assert.match(html, new RegExp(`<html lang="${language}"`), name);
          assert.deepEqual(englishIn(html, checkoutWords("en", purpose), t), [], name);
        }
      });

    test("of the simulated bank has no English either", () => {
      for (const html of bankPages(language)) {
        assert.match(html, new RegExp(`<html lang="${language}"`));
        assert.deepEqual(englishIn(html, bankWords("en"), bankWords(language)), []);
      }
    });

    test("weighs little more than in English", () => {
      const bytesOf = (t: Texts) =>
        Math.max(...everyPage(t, "payment").map(([, html]) => Buffer.byteLength(html)));
      const [own, english] = [bytesOf(checkoutWords(language)), bytesOf(checkoutWords("en"))];
      assert(own < english * LONGER_MAX, `${own} is much more than ${english}`);
    });
  });
