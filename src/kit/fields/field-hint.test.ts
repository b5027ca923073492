/** A refused field says by which name it is sent, what it takes, and which slip it may be. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf, ScopeRefused, ServiceError } from "../errors.ts";
import { amount } from "./amount.ts";
import { withoutCardNumber } from "./card-number-inside.ts";
import { anyOf, oneOf } from "./choice.ts";
import { described, optional, readFields, type Shape } from "./field.ts";
import { flag } from "./flag.ts";
import { integer } from "./number.ts";
import { email, line, text } from "./text.ts";
import { day, moment } from "./time.ts";

const refused = (shape: Shape, raw: Record<string, unknown>) =>
  refusalOf(() => readFields(shape, raw));

const CASES: readonly [what: string, shape: Shape, value: unknown, code: string, hint: string][] = [
  ["a choice", { env: oneOf(["live", "test"]) }, "x", "field_not_allowed", "one of live, test"],
  ["choices", { s: anyOf(["a", "b"]) }, ["c"], "field_not_allowed", "a list; each is one of a, b"],
  ["a number", { n: integer({ min: 1, max: 9 }) }, 10, "field_out_of_range", "from 1 to 9"],
  ["a short text", { t: text({ min: 2, max: 5 }) }, "x", "field_too_short", "text of 2 to 5"],
  ["a long text", { t: text({ max: 5 }) }, "xxxxxx", "field_too_long", "of at most 5 characters"],
  ["no text", { t: text({ max: 5 }) }, {}, "field_not_text", "text of at most 5 characters"],
  ["an amount", { a: amount() }, "1.005", "field_invalid", "at most 2 decimal places"],
  ["a negative amount", { a: amount() }, "-1", "field_out_of_range", "at most 2 decimal places"],
  ["a flag", { f: flag() }, "x", "field_invalid", "true or false"],
  ["an e-mail", { e: email() }, "x", "field_invalid", "an e-mail address"],
  ["a day", { d: day() }, "x", "field_invalid", "a day as YYYY-MM-DD"],
  ["a time", { m: moment() }, "x", "field_invalid", "a time with its zone"],
  ["nothing", { t: text({ max: 5 }) }, "", "field_required", "text of at most 5 characters"],
];
for (const [what, shape, value, code, hint] of CASES)
  test(`${what}: the code, the field and what is taken`, () => {
    const [name = ""] = Object.keys(shape);
    const error = refused(shape, { [name]: value });
    assert.deepEqual([error.code, error.field], [code, name]);
    assert(error.hint.startsWith(`Send ${name} as `), error.hint);
    assert(error.hint.includes(hint), error.hint);
  });

test("an example is shown where the field has one", () => {
  const shape = { order_id: described(text({ max: 9, pattern: /^\d+$/ }), "Yours.", "1042") };
  assert.match(refused(shape, { order_id: "x" }).hint, /, for example 1042\.$/);
});

test("a hint of its own goes before the one of the rules", () => {
  const error = refused({ note: withoutCardNumber(line(99)) }, { note: "4111111111111111" });
  assert.equal(error.code, "field_holds_card_number");
  assert.match(error.hint, /^Remove the card number/);
});

const order = { order_id: text({ max: 9 }), description: text({ max: 9 }), url: optional(line(9)) };

test("a field that looks like a slip is named with what was meant", () => {
  const { hint, field } = refused(order, { order_id: "1", descripton: "x" });
  assert.equal(field, "description");
  assert.match(hint, /The field descripton is not known; description may be what was meant\.$/);
});

test("a name that is like nothing, or like a field that was sent, is passed over", () => {
  for (const sent of [{ colour: "red" }, { order_idd: "1" }, { "a b": "x", "<b>": "y" }]) {
    const { hint } = refused(order, { order_id: "1", ...sent });
    assert(!hint.includes("not known"), hint);
  }
});

test("JSON that was read as a form gets a hint about the content type", () => {
  const { hint } = refused(order, { '{"order_id":"1","description":"x"}': "" });
  assert.match(hint, /looks like JSON: send it with Content-Type: application\/json\.$/);
});

test("of a body of very many keys the first hundred unknown ones are compared", () => {
  const unlike = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`zzzzzzzz${at}`, 1]));
  const hintAfter = (count: number) =>
    refused(order, { order_id: "1", ...unlike(count), descripton: "x" }).hint;
  assert.match(hintAfter(99), /description may be what was meant/);
  assert.doesNotMatch(hintAfter(100), /not known/);
});

test("scopes that are needed and held are named", () => {
  const any = new ScopeRefused(["svc-a", "svc-b"], new Set(["svc-c", "svc-d"]));
  assert.equal(any.hint, "Use a credential with svc-a or svc-b; this one has svc-c, svc-d.");
  assert.match(new ScopeRefused(["svc-a", "svc-b"], [], "all").hint, /svc-a and svc-b;.*no scope/);
});

test("when to try again stands in front", () => {
  const after = (seconds: string) =>
    new ServiceError("idempotency_in_flight", { headers: { "retry-after": seconds } }).hint;
  assert.match(after("1"), /^Try again in 1 second\. Send the same request/);
  assert.match(after("12"), /^Try again in 12 seconds\. /);
});
