/** Text and HTML of a mail say the same, and the HTML loads nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderMail } from "./render-mail.ts";

const content = {
  heading: "A new key was made",
  parts: [
    "If this was not you, sign in and revoke it.",
    { link: "https://pay.example.com/console/keys?a=1&b=2", text: "See your keys" },
    {
      rows: [
        ["Name", "Shop & Co"],
        ["Made by", "Anika <anika@example.com>"],
      ] as const,
    },
  ],
};

test("the text has each part, a link on a line of its own", () => {
  assert.equal(
    renderMail({ subject: "A new key", content }).text,
    `A new key was made

If this was not you, sign in and revoke it.

See your keys:
https://pay.example.com/console/keys?a=1&b=2

Name: Shop & Co
Made by: Anika <anika@example.com>
`,
  );
});

test("the HTML has one heading, a language, a title, and a table with row headings", () => {
  const { html } = renderMail({ subject: "A new key", content });
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
  assert.equal(html.match(/<h1/g)?.length, 1);
  assert.match(html, /<title>A new key<\/title>/);
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
  assert.match(html, /href="https:\/\/pay\.example\.com\/console\/keys\?a=1&amp;b=2"/);
  assert.equal(html.match(/<th scope="row"/g)?.length, 2);
  assert.match(html, /Anika &lt;anika@example\.com&gt;/);
  assert.doesNotMatch(html, /<(img|script|link|iframe|style)|url\(/);
});

test("what must not be broken stays whole, and French has its space before a colon", () => {
  const rows = [["Total", "1\u202f234,50\u00a0TTD"] as const];
  const amounts = { language: "fr", heading: "Reçu", parts: [{ rows, areAmounts: true }] } as const;
  const { text, html } = renderMail({ subject: "Reçu", content: amounts });
  assert(text.includes("\nTotal\u00a0: 1\u202f234,50\u00a0TTD\n"), text);
  assert.match(html, /white-space:nowrap[^>]*>1\u202f234,50\u00a0TTD</);
});

test("no text can add an element or a line", () => {
  const counts = (one: string, two: string) => {
    const parts = [one, { rows: [[one, two] as const] }];
    const { html, text } = renderMail({ subject: two, content: { heading: one, parts } });
    return [html.split(/<[a-z]/).length, text.split("\n").length];
  };
  const expected = counts("one", "two");
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."<>\"'&a/\r\n\u2028") }),
  );
  fc.assert(
    fc.property(texts, texts, (one, two) => {
      assert.deepEqual(counts(one, two), expected);
    }),
  );
});
