// The guarantee: a form or a query is refused, or every field is exactly the text that was encoded.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FieldRefused } from "../../../kit/errors.ts";
import { BadBody } from "./bad-body.ts";
import { type Form, type FormOptions, parseForm, parseFormBytes } from "./parse-form.ts";

const BODY: FormOptions = { repeated: "last-wins", what: "body" };
const QUERY: FormOptions = { repeated: "refuse", what: "query" };

const plain = (form: Form) => ({ ...form });

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    const isRefusal = error instanceof BadBody || error instanceof FieldRefused;
    assert(isRefusal, `not a refusal: ${error}`);
    return error.message;
  }
  return assert.fail("it was accepted");
}

const READ: readonly [text: string, form: Form][] = [
  ["", {}],
  ["&&", {}],
  ["a=1", { a: "1" }],
  ["a=1&b=2&", { a: "1", b: "2" }],
  ["a", { a: "" }],
  ["a=", { a: "" }],
  ["=a", { "": "a" }],
  ["a=b=c", { a: "b=c" }],
  ["a+b=c+d%2Be", { "a b": "c d+e" }],
  ["a=%C3%A9%F0%9F%98%80", { a: "é😀" }],
  ["%61=1", { a: "1" }],
  ["a=%26%3d%25", { a: "&=%" }],
  ["a[]=1&a[b]=2&a.b=3", { "a[]": "1", "a[b]": "2", "a.b": "3" }],
  [
    "toString=1&hasOwnProperty=2&constructor=3&prototype=4&valueOf=5",
    {
      toString: "1",
      hasOwnProperty: "2",
      constructor: "3",
      prototype: "4",
      valueOf: "5",
    } as unknown as Form,
  ],
];

const MALFORMED = [
  ...["a=%", "a=%2", "a=%zz", "a=%2g", "%=1", "a=100%", "a=%u0041"],
  ...["a=%ff", "a=%C3", "a=%C3%28", "a=%C0%80", "a=%E0%80%AF", "a=%ED%A0%80", "a=%F4%90%80%80"],
];

const POISON = [
  ...["__proto__=1", "__proto__[x]=1", "__proto__.x=1", "a[__proto__][x]=1", "%5F_proto__=1"],
  ...["constructor.prototype=1", "constructor[prototype]=1", "constructor[prototype][x]=1"],
  ...["a[constructor][prototype]=1", "constructor%5Bprototype%5D=1", "__proto__"],
];

describe("parseForm", () => {
  for (const [text, form] of READ) {
    test(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(plain(parseForm(text, BODY)), form);
      assert.deepEqual(plain(parseForm(text, QUERY)), form);
      assert.deepEqual(plain(parseFormBytes(Buffer.from(text), BODY)), form);
    });
  }

  for (const text of MALFORMED) {
    test(`refuses the malformed ${text}`, () => {
      const inBody = () => parseFormBytes(Buffer.from(text), BODY);
      assert.equal(refusal(inBody), "The body is not valid form data.");
      assert.equal(
        refusal(() => parseForm(text, QUERY)),
        "The query is not valid.",
      );
    });
  }

  for (const text of POISON) {
    test(`refuses the key of ${text}`, () => {
      const message = "The query has a key that is not allowed.";
      assert.equal(
        refusal(() => parseForm(text, QUERY)),
        message,
      );
      assert.equal(({} as { x?: unknown }).x, undefined);
    });
  }

  const NAMED = "The order id must not contain a NUL character.";
  for (const [text, inBody, inQuery] of [
    ["order_id=%00", NAMED, NAMED],
    ["a=1&order_id=x%00y", NAMED, NAMED],
    ["order_id=\0", NAMED, "The query is not valid."],
    ["a%00=1", "The body holds a NUL character.", "The query holds a NUL character."],
    ["4111111111111111=%00", "The body holds a NUL character.", "The query holds a NUL character."],
    ["a b=%00", "The body holds a NUL character.", "The query holds a NUL character."],
  ] as const) {
    test(`refuses the NUL in ${JSON.stringify(text)}, and names the field`, () => {
      assert.equal(
        refusal(() => parseForm(text, BODY)),
        inBody,
      );
      assert.equal(
        refusal(() => parseForm(text, QUERY)),
        inQuery,
      );
    });
  }

  test("an encoded percent sign before two zeros is no NUL", () => {
    assert.deepEqual(plain(parseForm("a=%2500", QUERY)), { a: "%00" });
  });

  test("bytes that are not UTF-8, or open with a byte order mark, are refused", () => {
    for (const bytes of ["613dff", "613dc080", "613deda080", "efbbbf613d31"]) {
      const parse = () => parseFormBytes(Buffer.from(bytes, "hex"), BODY);
      assert.equal(refusal(parse), "The body is not valid form data.", bytes);
    }
  });

  test("letters above ASCII may stand unencoded in a body and not in a query", () => {
    assert.deepEqual(plain(parseFormBytes(Buffer.from("name=José"), BODY)), { name: "José" });
    assert.equal(
      refusal(() => parseForm("name=José", QUERY)),
      "The query is not valid.",
    );
    assert.equal(
      refusal(() => parseForm("a=\ud800", BODY)),
      "The body is not valid form data.",
    );
  });

  test("a hundred pairs are read and one more is refused; empty ones do not count", () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=1`);
    assert.equal(Object.keys(parseForm(pairs(100).join("&&"), BODY)).length, 100);
    const tooMany = () => parseForm(pairs(101).join("&"), BODY);
    assert.equal(refusal(tooMany), "The body has too many fields.");
    assert.equal(
      refusal(() => parseForm("a&".repeat(101), BODY)),
      "The body has too many fields.",
    );
    assert.deepEqual(plain(parseForm("&".repeat(65_536), BODY)), {});
  });

  test("of a repeated key the last wins in a body", () => {
    assert.deepEqual(plain(parseForm("a=1&b=2&%61=3", BODY)), { a: "3", b: "2" });
  });

  test("where repeats must agree, the same value again is nothing, another one is refused", () => {
    const options: FormOptions = { ...BODY, repeated: "must-agree" };
    assert.deepEqual(plain(parseForm("a=1&b=2&%61=%31", options)), { a: "1", b: "2" });
    assert.equal(
      refusal(() => parseForm("a=1&a=2", options)),
      "The a field is given more than once.",
    );
  });

  test("a repeated key is refused in a query, in words", () => {
    for (const [text, message] of [
      ["page=1&page=1", "The page field is given more than once."],
      ["page_size=1&page%5Fsize=2", "The page size field is given more than once."],
      ["a=&a=", "The a field is given more than once."],
      ["%3Cb%3E=1&%3Cb%3E=1", "A field is given more than once."],
    ] as const) {
      assert.equal(
        refusal(() => parseForm(text, QUERY)),
        message,
      );
    }
  });

  test("a repeatable key gives an array, even once, and says nothing of other keys", () => {
    for (const options of [BODY, QUERY]) {
      const read = (text: string) => {
        return plain(parseForm(text, { ...options, repeatable: new Set(["status"]) }));
      };
      assert.deepEqual(read("status=held"), { status: ["held"] });
      assert.deepEqual(read("status=held&page=1&status="), { status: ["held", ""], page: "1" });
      assert.deepEqual(read("page=1"), { page: "1" });
    }
  });

  test("the form has no prototype, so that it holds only what was sent", () => {
    const form = parseForm("a=1", BODY);
    assert.equal("toString" in form, false);
    assert.equal(form.constructor, undefined);
    assert.equal(Object.getPrototypeOf(form), null);
  });

  test("what URLSearchParams writes is read back exactly", () => {
    const text = fc.string({ unit: "binary" }).filter((each) => {
      return each.isWellFormed() && !/\0|__proto__/.test(each);
    });
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (fields) => {
        const encoded = new URLSearchParams(fields).toString();
        assert.deepEqual(plain(parseForm(encoded, QUERY)), fields);
        assert.deepEqual(plain(parseFormBytes(Buffer.from(encoded), BODY)), fields);
      }),
      { numRuns: 500 },
    );
  });

  test("it throws only refusals, whatever is sent", () => {
    const soup = fc.string({ unit: fc.constantFrom(..."ab=&+%0C38fFz[]_.\0é") });
    const attempt = (parse: () => unknown) => {
      try {
        parse();
      } catch (error) {
        assert(error instanceof BadBody || error instanceof FieldRefused, `${error}`);
      }
    };
    fc.assert(
      fc.property(soup, fc.uint8Array(), (text, bytes) => {
        attempt(() => parseForm(text, QUERY));
        attempt(() => parseFormBytes(Buffer.from(bytes), BODY));
      }),
      { numRuns: 1000 },
    );
  });
});
