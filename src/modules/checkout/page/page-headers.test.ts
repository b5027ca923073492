// The guarantee: the payment page's headers are the written ones, word for word, and a post is
// believed only when token, Origin and the browser's own word agree.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "../../../infra/config.ts";
import { takeReports } from "./csp-report.ts";
import { cameFromPage, formToken } from "./form-token.ts";
import { newNonce, pageHeaders } from "./page-headers.ts";

const config = readConfig({ PAYMENTS_PUBLIC_URL: "https://pay.example.com" });
const facts = { layout: "full", responseUrl: "https://shop.example/back?a=1" } as const;
const own = "https://pay.example.com";

describe("the headers of the page", () => {
  test("of the full page", () => {
    assert.deepEqual(pageHeaders(config, facts, "N"), {
      "content-security-policy":
        "default-src 'none'; script-src 'self' 'nonce-N'; style-src 'self'; " +
        "img-src 'self' data:; base-uri 'none'; font-src 'self'; connect-src 'self'; " +
        "frame-src 'self'; form-action 'self' https://shop.example; frame-ancestors 'none'; " +
        "object-src 'none'; manifest-src 'none'; worker-src 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'; upgrade-insecure-requests; " +
        "report-to csp",
      "reporting-endpoints": 'csp="/reports/csp"',
      "integrity-policy": "blocked-destinations=(script), endpoints=(csp)",
      "cross-origin-opener-policy": "same-origin",
      "origin-agent-cluster": "?1",
      "x-frame-options": "DENY",
    });
  });

  test("of the simple page, which anybody may frame until origins are named", () => {
    const headers = pageHeaders(config, { ...facts, layout: "simple" }, "N");
    assert.equal(headers["x-frame-options"], undefined);
    assert.equal(headers["cross-origin-opener-policy"], "same-origin-allow-popups");
    assert.doesNotMatch(headers["content-security-policy"] ?? "", /frame-ancestors/);
    const framedBy = ["https://shop.example"];
    const named = pageHeaders(config, { layout: "simple", framedBy }, "N");
    assert.match(
      named["content-security-policy"] ?? "",
      /; frame-ancestors https:\/\/shop\.example;/,
    );
  });

  test("upgrade nothing where the page or the way back is http", () => {
    const atHome = readConfig({});
    for (const [which, responseUrl] of [
      [atHome, "https://shop.example/"],
      [config, "http://shop.example/"],
    ] as const) {
      const headers = pageHeaders(which, { ...facts, responseUrl }, "N");
      assert.doesNotMatch(headers["content-security-policy"] ?? "", /upgrade/);
    }
  });

  const formAction = (responseUrl: string) =>
    /form-action ([^;]*);/.exec(
      pageHeaders(config, { ...facts, responseUrl }, "N")["content-security-policy"] ?? "",
    )?.[1];

  test("name the scheme where the way back is an IPv6 address, which no policy can name", () => {
    assert.equal(formAction("http://[::1]:4699/back"), "'self' http:");
    assert.equal(formAction("https://[2001:db8::1]/back"), "'self' https:");
    assert.equal(formAction("http://127.0.0.1:4699/back"), "'self' http://127.0.0.1:4699");
    assert.equal(formAction("https://bücher.example./"), "'self' https://xn--bcher-kva.example.");
  });

  test("take no word out of a host: one that is none is left out", () => {
    for (const host of ["a;script-src", "a,b", "*", "*.example", "a'b", "a_b", "a~b", "a..b"])
      assert.equal(formAction(`https://${host}/`), "'self'", host);
  });

  test("a nonce has 22 characters or more and is never the same", () => {
    assert.match(newNonce(), /^[\w-]{22,}$/);
    assert.notEqual(newNonce(), newNonce());
  });
});

describe("a post of the form", () => {
  const good = { origin: own, "sec-fetch-site": "same-origin", host: "pay.example.com" };
  const believed = (headers: Record<string, string>, token = "t", given = formToken(config, "t")) =>
    cameFromPage(config, { token, formToken: given, header: (name) => headers[name] });

  test("is believed from the page itself, also by a browser that does not say where it began", () => {
    assert.equal(believed(good), true);
    assert.equal(believed({ origin: own }), true);
  });

  test("is believed under another name that is served", () => {
    assert.equal(
      believed({ origin: "https://pay2.example:8443", host: "pay2.example:8443" }),
      true,
    );
  });

  for (const [what, headers] of Object.entries({
    "a foreign Origin": { ...good, origin: "https://evil.example" },
    "no Origin": { "sec-fetch-site": "same-origin", host: "pay.example.com" },
    "Origin null": { ...good, origin: "null" },
    "the name of ours with another scheme": { origin: "http://pay.example.com", host: "" },
    "the served name with another scheme": {
      ...good,
      origin: "http://pay.example.com",
    },
    "a cross-site request": { ...good, "sec-fetch-site": "cross-site" },
    "a same-site request": { ...good, "sec-fetch-site": "same-site" },
    "a request that nobody's page began": { ...good, "sec-fetch-site": "none" },
  } as Record<string, Record<string, string>>)) {
    test(`is not believed with ${what}`, () => assert.equal(believed(headers), false));
  }

  test("is not believed with the token of another payment, or none", () => {
    assert.equal(believed(good, "t", formToken(config, "u")), false);
    assert.equal(believed(good, "t", ""), false);
  });
});

describe("what browsers report", () => {
  const told = (given: unknown) => {
    const lines: unknown[] = [];
    const log = { warn: (line: unknown) => lines.push(line) };
    takeReports({ log } as unknown as Parameters<typeof takeReports>[0], given);
    return lines;
  };

  test("is told by its rule and the foreign origin, without the page's address", () => {
    const body = {
      documentURL: "https://pay.example.com/checkout/secret",
      effectiveDirective: "script-src-elem",
      blockedURL: "https://evil.example/a.js?x=4111111111111111",
    };
    const expected = { rule: "script-src-elem", blocked: "https://evil.example" };
    assert.deepEqual(told([{ type: "csp-violation", body }]), [expected]);
    const older = { "effective-directive": "style-src", "blocked-uri": "inline" };
    assert.deepEqual(told([{ "csp-report": older }]), [{ rule: "style-src", blocked: "inline" }]);
  });

  test("may be anything", () => {
    const nothing = { rule: "other", blocked: "other" };
    assert.deepEqual(told("x"), []);
    assert.deepEqual(told([null, 1, "a", [], { body: { effectiveDirective: "A\nB" } }]), [
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
    ]);
    assert.equal(told(Array(50).fill({})).length, 10);
  });
});
