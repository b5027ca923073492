/** Texts are taken as they are, counted in characters as people see them; e-mails in one form. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { asText, email, normalEmail, text } from "./text.ts";

describe("text", () => {
  test("counts code points, as the database does", () => {
    const name = text({ min: 2, max: 3 });
    for (const good of ["ab", "abc", "🌴🌴", "🌴🌴🌴", "e\u0301x", " a ", "\u202eab"])
      assert.equal(name.read(good, "name"), good);
    for (const short of ["a", "🌴"])
      assert.throws(() => name.read(short, "name"), /at least 2 characters/);
    for (const long of ["abcd", "🌴🌴🌴🌴", "e\u0301xy"])
      assert.throws(() => name.read(long, "name"), /not be longer than 3 characters/);
  });

  test("is never changed on the way in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 50 }), (given) => {
        assert.equal(text({ max: 50 }).read(given, "data"), given);
      }),
    );
  });

  test("must fit its pattern, and says so in its own words where it has some", () => {
    const pattern = /^[0-9]+$/;
    assert.equal(text({ max: 9, pattern }).read("123", "x"), "123");
    assert.throws(() => text({ max: 9, pattern }).read("12a", "bank_account"), {
      message: "The bank account format is invalid.",
    });
    const patternRefusal = "Digits only.";
    assert.throws(() => text({ max: 9, pattern, patternRefusal }).read("x", "x"), {
      message: patternRefusal,
    });
  });

  for (const value of [
    1,
    0,
    true,
    false,
    [],
    ["a"],
    {},
    { toString: () => "a" },
    1n,
    Symbol.iterator,
  ])
    test(`is not ${typeof value} ${Array.isArray(value) ? "list" : ""}`, () => {
      assert.throws(() => asText(value, "first_name"), {
        message: "The first name must be a string.",
      });
    });
});

describe("an e-mail address", () => {
  const NORMAL: readonly [given: string, normal: string][] = [
    ["a@b.tt", "a@b.tt"],
    ["A@B.TT", "a@b.tt"],
    ["First.Last+tag@Example.Co.UK", "first.last+tag@example.co.uk"],
    ["o'neil@example.com", "o'neil@example.com"],
    ["anne@bücher.example", "anne@xn--bcher-kva.example"],
    ["anne@BÜCHER.example", "anne@xn--bcher-kva.example"],
    ["anne@例え.テスト", "anne@xn--r8jz45g.xn--zckzah"],
    [`${"x".repeat(64)}@example.com`, `${"x".repeat(64)}@example.com`],
  ];
  for (const [given, normal] of NORMAL)
    test(`${given.slice(0, 40)} is kept as ${normal.slice(0, 40)}`, () => {
      assert.equal(normalEmail(given), normal);
      assert.equal(normalEmail(normal), normal);
    });

  const REFUSED = [
    ...["", "a", "@", "a@", "@b.tt", "a@b", "a@b.", "a@.tt", "a@b..tt", "a@-b.tt", "a@b-.tt"],
    ...[
      "a@b@c.tt",
      ".a@b.tt",
      "a.@b.tt",
      "a..b@c.tt",
      "a b@c.tt",
      "a@b c.tt",
      " a@b.tt",
      "a@b.tt ",
    ],
    ...['"a"@b.tt', "a@[127.0.0.1]", "a@127.0.0.1", "a@127.1", "a@b.1", "a@b.tt\n", "a\r\n@b.tt"],
    ...["a@b.tt,c@d.tt", "<a@b.tt>", "Anne <a@b.tt>", "mailto:a@b.tt", "ä@b.tt", "a\u0000@b.tt"],
    ...[
      "a@１27.0.0.1",
      "a@b。tt/x",
      "a@b.tt?x",
      "a@b.tt#x",
      "a@b.tt:80",
      "a@user@b.tt",
      "a@b_c.tt",
    ],
    ...[`${"x".repeat(65)}@b.tt`, `a@${"b".repeat(64)}.tt`, "a@b.t"],
  ];
  for (const given of REFUSED)
    test(`${JSON.stringify(given).slice(0, 40)} is none`, () => {
      assert.equal(normalEmail(given), undefined);
    });

  test("is one account's, whatever its case", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const normal = normalEmail(address);
        fc.pre(normal !== undefined);
        assert.equal(normalEmail(address.toUpperCase()), normal);
        assert.equal(normal, normal.toLowerCase());
      }),
    );
  });

  test("of the longest kind is judged in a moment", () => {
    const long = [`${"a.".repeat(150)}@b.tt`, `a@${"b.".repeat(150)}`, `a@${"-".repeat(300)}.tt`];
    const start = performance.now();
    for (let i = 0; i < 100; i++) for (const given of long) normalEmail(given);
    assert(performance.now() - start < 20_000, "a pattern takes too long");
  });

  test("has a length that its field may set", () => {
    const long = `${"x".repeat(60)}@${"b.".repeat(100)}example`;
    assert.throws(() => email().read(long, "email"), /not be longer than 255 characters/);
    assert.equal(email({ max: 320 }).read(long, "email"), long);
    assert.throws(() => email().read("nonsense", "email"), {
      message: "The email must be a valid email address.",
    });
  });
});
