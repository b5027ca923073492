/**
 * The guarantee: parts write every value as text, tie labels, hints and problems to their fields,
 * show amounts and times as people read them, and draw charts of any data (Decision 0089).
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { money } from "../../src/kit/money.ts";
import { assetServer } from "../../src/parts/assets.ts";
import { barChart } from "../../src/parts/bar-chart.ts";
import { labelsOf, scaleBetween, scaleFromZero } from "../../src/parts/chart-scale.ts";
import { consoleScript, consoleStyle, liveScript } from "../../src/parts/console-assets.ts";
import { moneyField, passwordField, selectField, textField } from "../../src/parts/field.ts";
import { CSRF_FIELD, postForm } from "../../src/parts/form.ts";
import { lineChart } from "../../src/parts/line-chart.ts";
import { moneyText } from "../../src/parts/money.ts";
import { pageAnswer, renderDocument } from "../../src/parts/page.ts";
import { changeOf, changeOfRate } from "../../src/parts/stat.ts";
import { table } from "../../src/parts/table.ts";
import { timeHtml } from "../../src/parts/time.ts";
import {
  GALLERY_PAGES,
  galleryRoutes,
  renderGallery,
} from "../../src/site/gallery/gallery-page.ts";

const NASTY = `"><script>alert(1)</script>'&`;
const SCRIPT_BYTES_MAX = 10_000;
const PAGE_BYTES_MAX = 100_000;

describe("a part", () => {
  test("writes what it is given as text, between tags and in attributes", () => {
    const parts = [
      textField({ name: "a", label: NASTY, value: NASTY, hint: NASTY, error: NASTY }),
      selectField({ name: "b", label: NASTY, options: [{ value: NASTY, text: NASTY }] }),
      postForm({ action: NASTY, csrf: NASTY, hidden: { x: NASTY }, content: NASTY }),
      table({
        caption: NASTY,
        columns: [{ label: NASTY, cell: (row: string) => row }],
        rows: [NASTY],
        href: () => NASTY,
        empty: postForm({ action: "", csrf: "", content: "" }),
      }),
    ];
    const form = postForm({ action: "/x", csrf: "secret", content: "" }).toString();
    assert(form.includes(`<input type="hidden" name="${CSRF_FIELD}" value="secret">`), form);
    for (const part of parts) assert.doesNotMatch(part.toString(), /<script|"">|='/);
  });

  test("ties hint and problem to the field, and never writes a password", () => {
    const field = textField({ name: "email", label: "E-mail", hint: "Yours", error: "Wrong" });
    assert.match(field.toString(), /<label for="email">E-mail<\/label>/);
    assert.match(field.toString(), /aria-invalid="true" aria-describedby="email-wrong email-help"/);
    assert.match(field.toString(), /<p class="problem" id="email-wrong">Wrong<\/p>/);
    const amount = moneyField({ name: "amount", label: "Amount", currency: "TTD" });
    assert.match(amount.toString(), /aria-describedby="amount-unit amount-wrong"/);
    assert.match(amount.toString(), /inputmode="decimal"/);
    const password = passwordField({ name: "password", label: "Password" });
    assert.doesNotMatch(password.toString(), / value=/);
  });

  test("chooses what is given and nothing else, also from a list that was written before", () => {
    const options = ["", "A&B", "C"].map((value) => ({ value, text: value }));
    const chosen = (value?: string) => {
      const field = selectField({ name: "a", label: "A", options, value });
      return [...field.toString().matchAll(/<option value="([^"]*)" selected>/g)].map(
        ([, found]) => found,
      );
    };
    for (const value of ["C", "A&B", ""]) {
      assert.deepEqual(chosen(value), [value.replace("&", "&amp;")]);
      assert.deepEqual(chosen(), []);
      assert.deepEqual(chosen('C" selected>'), []);
    }
  });

  test("shows amounts with their currency on one line, and signs that are no hyphens", () => {
    assert.equal(moneyText(money("TTD", 123_450n)), "TTD\u00a01,234.50");
    assert.equal(moneyText(money("JMD", -46_500_000n)), "\u2212JMD\u00a0465,000.00");
    assert.equal(moneyText(money("USD", 0n)), "USD\u00a00.00");
  });

  test("shows times in a zone, with UTC beside them", () => {
    const shown = timeHtml(new Date("2026-11-20T02:05:09Z"), "America/Port_of_Spain").toString();
    assert.equal(
      shown,
      `<time datetime="2026-11-20T02:05:09.000Z" title="UTC 2026-11-20 02:05:09">` +
        "19 Nov 2026, 22:05</time>",
    );
  });

  test("says a change in words", () => {
    const before = "in the 30 days before";
    assert.equal(changeOf(112, 100, before).text, `12% more than ${before}`);
    assert.equal(changeOf(1, 1000, before).text, `100% less than ${before}`);
    assert.equal(changeOf(1001, 1000, before).text, `less than 1% more than ${before}`);
    assert.equal(changeOf(5, 0, before).text, `nothing ${before}`);
    assert.equal(changeOf(0, 0, before).text, `the same as ${before}`);
    assert.equal(changeOfRate(0.934, 0.949, before).text, `1.5 points lower than ${before}`);
  });
});

describe("a chart", () => {
  test("has round ticks around its values", () => {
    assert.deepEqual(scaleFromZero([0, 7, 19]).ticks, [0, 5, 10, 15, 20]);
    assert.deepEqual(scaleFromZero([0.3]).ticks, [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(scaleFromZero([]).ticks, [0, 0.25]);
    assert.deepEqual(scaleBetween(0.91, 0.99).ticks, [0.9, 0.92, 0.94, 0.96, 0.98, 1]);
    assert.deepEqual(labelsOf(["a", "b", "c", "d", "e"], 4), ["a", "c", "e"]);
  });

  const days = (count: number, value: (index: number) => number | undefined) =>
    Array.from({ length: count }, (_, index) => ({ label: `${index}`, value: value(index) }));
  const heads = { label: "Day", value: "Volume" };

  for (const [name, points] of Object.entries({
    "no points": [],
    "one point": days(1, () => 5),
    "90 points": days(90, (index) => index),
    "zeros only": days(30, () => 0),
    "gaps only": days(30, () => undefined),
    "one point among gaps": days(30, (index) => (index === 4 ? 0.5 : undefined)),
  }))
    test(`draws ${name}, with a name, a description and a table of what there is`, () => {
      for (const draw of [barChart, lineChart]) {
        const chart = draw({ id: "x", title: "Volume", points, heads, format: String }).toString();
        assert.doesNotMatch(chart, /NaN|Infinity|undefined/);
        assert.match(chart, /<svg role="img" aria-labelledby="x-title x-about"/);
        assert.match(
          chart,
          /<title id="x-title">Volume<\/title>\s*<desc id="x-about">[^<]+<\/desc>/,
        );
        const rows = chart.includes("plot-empty") ? 0 : points.length;
        assert.equal(chart.match(/<th scope="row">/g)?.length ?? 0, rows);
        assert.equal(chart.includes("Show as a table"), rows > 0);
      }
    });

  test("of a rate goes from 0 to 100%, and ties a lone point to its day", () => {
    const points = days(30, (index) => (index === 4 ? 0.36 : undefined));
    const format = (rate: number) => `${rate * 100}%`;
    const parts = { id: "x", title: "Rate", points, heads, format, formatTick: format, upTo: 1 };
    const chart = lineChart(parts).toString();
    const ticks = ["100%", "75%", "50%", "25%", "0%"].map((tick) => `<span>${tick}</span>`);
    assert(chart.includes(ticks.join("")), chart);
    assert.match(chart, /class="line" d="M45 100V64"/);
  });
});

describe("a document", () => {
  const body = postForm({ action: "/", csrf: "x", content: "" });
  const document = renderDocument({
    title: NASTY,
    body,
    styles: [consoleStyle],
    scripts: [consoleScript],
  });

  test("loads its style and script by content and digest, and nothing else", () => {
    const loaded = document.matchAll(/<(?:script|link rel="stylesheet")[^>]*>/g);
    assert.deepEqual(
      [...loaded].map(([tag]) => / integrity="sha384-[^"]+" crossorigin="anonymous"/.test(tag)),
      [true, true],
    );
    const served = assetServer([consoleStyle, consoleScript]);
    const files = consoleStyle.files.map((file) => readFileSync(`web/${file}`));
    assert.deepEqual(served(consoleStyle.name, "").body, Buffer.concat(files));
  });

  test("is served under a policy without exceptions, and never kept", () => {
    const { headers = {} } = pageAnswer(document);
    const policy = headers["content-security-policy"] ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'.*trusted-types 'none'$/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers["referrer-policy"], "same-origin");
    assert.equal(headers["cache-control"], "no-store");
  });
});

describe("the gallery", () => {
  test("is there in development only", () => {
    assert.equal(galleryRoutes({ demoWorld: true }).length, 2);
    assert.deepEqual(galleryRoutes({ demoWorld: false }), []);
  });

  test("has pages below 100 kB and a script below 10 kB", () => {
    assert(consoleScript.plain.length <= SCRIPT_BYTES_MAX, `${consoleScript.plain.length}`);
    const loads = [consoleStyle, consoleScript, liveScript];
    const packed = loads.map(({ packed: [best] }) => best?.bytes.length);
    const loaded = packed.reduce((sum: number, bytes = 0) => sum + bytes, 0);
    for (const name of GALLERY_PAGES) {
      const bytes = Buffer.byteLength(renderGallery(name, {}) ?? "") + loaded;
      assert(bytes < PAGE_BYTES_MAX, `${name} weighs ${bytes}`);
    }
  });
});
