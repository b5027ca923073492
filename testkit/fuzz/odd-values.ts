/** What the world sends that nobody asked for: odd Unicode, huge numbers, tricks, garbage. */

import fc from "fast-check";

/** A tag in a page means that what somebody wrote was not escaped there. */
export const ODD_TAG = "<fuzz-tag";
/** Values that somebody, somewhere, has choked on. */
const ODD_VALUES: unknown[] = [
  ...["", " ", "0", "-0", "1e308", "NaN", "null", "undefined", "true", "[]", "{}", "%00", "\u0000"],
  ...["\ud83d", "\u202e\u200b", "é".normalize("NFD"), "ﷺ".repeat(50), "x".repeat(5_000), "../../x"],
  ...[`"'>${ODD_TAG}>`, `</script>${ODD_TAG}>`, "javascript:alert(1)"],
  ...["' or 1=1 --", `${"$"}{7*7}`, "{{7*7}}", "\r\nSet-Cookie: x=1", "__proto__", "constructor"],
  ...[0, -1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, true, false, null, [], [[]], {}, { a: { b: 1 } }],
  ...[["svc-user-all"], ["0.0.0.0/0"], "0.0.0.0/0", "::/0", "9999-12-31T23:59:59Z", "never"],
];

export const odd = fc.oneof(
  fc.constantFrom(...ODD_VALUES),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.jsonValue({ maxDepth: 5 }),
  fc.double(),
);

/** Of a field, or of a parameter of a query. */
export const oddName = fc.oneof(
  fc.constantFrom("email", "scopes", "page", "__proto__", "toString", "a[b]", ""),
  fc.string({ unit: "binary", maxLength: 30 }),
);

/** Bodies that are none, of types that are none. */
export const garbage = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "x",
  ),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.json({ maxDepth: 6 }),
    fc.constantFrom('{"copies":1e999}', "[".repeat(10_000), '{"a":1,"a":2}', "a=%zz", "\uFEFF{}"),
    fc.constant("x".repeat(66_000)),
  ),
});

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const visible = fc.string({
  unit: fc.constantFrom(..."abcXYZ019 !#$%&'()*+,-./:;<=>?@[]^_`{|}~\"\\"),
});

export const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "idempotency-key": fc.oneof(fc.constantFrom("a", "b", '"a"', "x".repeat(300)), visible),
    accept: fc.constantFrom("text/html", "*/*", "application/json;q=0", "text/csv", ""),
    origin: fc.constantFrom("null", "https://evil.example"),
    "x-forwarded-for": fc.oneof(fc.ipV4(), fc.ipV6(), visible),
    "content-encoding": fc.constantFrom("gzip", "identity", "br", ""),
    "x-request-id": visible,
    "x-http-method-override": fc.constantFrom(...METHODS),
    "if-match": visible,
    range: fc.constantFrom("bytes=0-", "bytes=5-1"),
    cookie: visible,
    "accept-encoding": fc.constantFrom("br", "gzip, br", "identity;q=0", "*"),
    "sec-fetch-site": fc.constantFrom("same-origin", "cross-site", "x"),
    "x-svc-key": visible,
  },
  { requiredKeys: [] },
);

/** Not `String`: a value may have a `toString` of its own that is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
