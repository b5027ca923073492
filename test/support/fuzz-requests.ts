/**
 * Random requests to the routes of the service: half of what they hold is right, so that they get
 * past the first check, and the rest is what the world sends: odd Unicode, huge numbers, garbage.
 */

import fc from "fast-check";
import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { goodValues } from "./schema-values.ts";
import type { RequestOptions } from "./service.ts";

export interface FuzzRequest {
  readonly path: string;
  readonly method: string;
  readonly who: Who;
  readonly body: Pick<RequestOptions, "json" | "form" | "raw">;
  readonly headers: Record<string, string>;
}
export type Who = (typeof WHO)[number];

const WHO = ["nobody", "owner", "key", "narrow", "stranger", "both", "garbage"] as const;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Values that somebody, somewhere, has choked on. */
const ODD_VALUES: unknown[] = [
  ...["", " ", "0", "-0", "1e308", "NaN", "null", "undefined", "true", "[]", "{}", "%00", "\u0000"],
  ...["\ud83d", "\u202e\u200b", "é".normalize("NFD"), "ﷺ".repeat(50), "x".repeat(5_000), "../../x"],
  ...["' or 1=1 --", `${"$"}{7*7}`, "{{7*7}}", "\r\nSet-Cookie: x=1", "__proto__", "constructor"],
  ...[0, -1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, true, false, null, [], [[]], {}, { a: { b: 1 } }],
  ...[["svc-user-all"], ["0.0.0.0/0"], "0.0.0.0/0", "::/0", "9999-12-31T23:59:59Z", "never"],
];
const odd = fc.oneof(
  fc.constantFrom(...ODD_VALUES),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.jsonValue({ maxDepth: 5 }),
  fc.double(),
);
const name = fc.oneof(
  fc.constantFrom("email", "scopes", "page", "__proto__", "toString", "a[b]", ""),
  fc.string({ unit: "binary", maxLength: 30 }),
);

export function requestsTo(routes: readonly Route<AppContext>[]): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(...routes.map(requestsToOne));
}

function requestsToOne(route: Route<AppContext>): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    path: pathsOf(route),
    method: fc.oneof(
      { weight: 5, arbitrary: fc.constant(route.method as string) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    who: fc.oneof(
      { weight: 4, arbitrary: fc.constant("owner" as const) },
      { weight: 3, arbitrary: fc.constantFrom(...WHO) },
    ),
    body: bodiesOf(route),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
  });
}

function pathsOf(route: Route<AppContext>): fc.Arbitrary<string> {
  const text = fc.oneof(
    fc.constant("0".repeat(18)),
    fc.string({ unit: "binary", minLength: 1, maxLength: 80 }).map((one) => one.toWellFormed()),
  );
  const path = text.map((id) => route.path.replace(/\{\w+\}/g, encodeURIComponent(id)));
  const pair = fc.tuple(
    fc.oneof(fc.constantFrom(...Object.keys(route.query ?? { x: 1 })), name),
    // Not `String`: a value may have a `toString` of its own that is none.
    fc.oneof(
      fc.constantFrom("1", "2", "100"),
      odd.map((value) => JSON.stringify(value) ?? ""),
    ),
  );
  const query = fc
    .array(pair, { maxLength: 3 })
    .map((pairs) => (pairs.length === 0 ? "" : `?${encoded(pairs)}`));
  const tail = fc.constantFrom("", "", "", "", "/", "//", "/x", "%", ";x=1", "%2F");
  return fc.tuple(path, tail, query).map((parts) => parts.join(""));
}

function bodiesOf(route: Route<AppContext>): fc.Arbitrary<FuzzRequest["body"]> {
  if (route.method === "GET") return fc.constant({});
  const fields = Object.entries(route.body ?? {}).map(([field, { schema }]) => {
    const good = goodValues(schema) ?? odd;
    return [
      field,
      fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: odd }),
    ] as const;
  });
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const object = fc
    .tuple(known, fc.dictionary(name, odd, { maxKeys: 3 }))
    .map(([some, extra]) => ({ ...extra, ...some }));
  const types = fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "x",
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.json({ maxDepth: 6 }),
    fc.constantFrom('{"copies":1e999}', "[".repeat(10_000), '{"a":1,"a":2}', "a=%zz", "\uFEFF{}"),
    fc.constant("x".repeat(66_000)),
  );
  return fc.oneof(
    { weight: 5, arbitrary: object.map((json) => ({ json })) },
    { weight: 2, arbitrary: object.map((some) => ({ form: asForm(some) })) },
    { weight: 1, arbitrary: odd.map((json) => ({ json: json ?? null })) },
    { weight: 2, arbitrary: fc.record({ type: types, body: bytes }).map((raw) => ({ raw })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

const visible = fc.string({
  unit: fc.constantFrom(..."abcXYZ019 !#$%&'()*+,-./:;<=>?@[]^_`{|}~\"\\"),
});
const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "idempotency-key": fc.oneof(fc.constantFrom("a", "b", '"a"', "x".repeat(300)), visible),
    accept: fc.constantFrom("text/html", "*/*", "application/json;q=0", ""),
    origin: fc.constantFrom("null", "https://evil.example"),
    "x-forwarded-for": fc.oneof(fc.ipV4(), fc.ipV6(), visible),
    "content-encoding": fc.constantFrom("gzip", "identity", "br", ""),
    "x-request-id": visible,
    "x-http-method-override": fc.constantFrom(...METHODS),
    "if-match": visible,
    range: fc.constantFrom("bytes=0-", "bytes=5-1"),
    cookie: visible,
  },
  { requiredKeys: [] },
);

function asForm(object: Record<string, unknown>): Record<string, string> {
  const pairs = Object.entries(object).map(([field, value]) => [field, textOf(value)]);
  return Object.fromEntries(pairs);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function encoded(pairs: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams();
  for (const [field, value] of pairs) query.append(field.toWellFormed(), value.toWellFormed());
  return query.toString();
}
