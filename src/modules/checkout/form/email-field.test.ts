/** The customer's e-mail on the page: the rules of the request's field, in the page's words. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardForm as words } from "../../../words/card-form/en.ts";
import { readEmail } from "./email-field.ts";
import { keptValues } from "./form-values.ts";

const ASKS = { asksEmail: true, merchant: { email: "shop@example.com" }, words };
const WRONG = "Check your e-mail address, e.g. name@example.com.";
const OWN = "This is the seller's e-mail address. Please enter yours.";

describe("an e-mail that the page asks for", () => {
  for (const [typed, email] of [
    ["maya@example.com", "maya@example.com"],
    ["  Maya@Example.COM ", "maya@example.com"],
    ["maya@bücher.example", "maya@xn--bcher-kva.example"],
    [`${"m".repeat(38)}@example.com`, `${"m".repeat(38)}@example.com`],
  ] as const)
    test(`${typed} is read as ${email}`, () => {
      assert.deepEqual(readEmail({ email: typed }, ASKS), { email });
    });

  for (const [typed, message] of [
    [undefined, "Enter your e-mail address."],
    ["  ", "Enter your e-mail address."],
    ["maya", WRONG],
    ["maya@example", WRONG],
    ["maya@example.com\r\nbcc: all", "Use letters and ordinary signs only."],
    [`${"m".repeat(39)}@example.com`, "Use at most 50 characters."],
    ["4012888888881881@example.com", "Do not write a card number here."],
    ["shop@example.com", OWN],
    ["SHOP@example.com", OWN],
  ] as const)
    test(`${JSON.stringify(typed)} is refused`, () => {
      const form = typed === undefined ? {} : { email: typed };
      assert.deepEqual(readEmail(form, ASKS), { problems: [{ field: "email", message }] });
    });

  test("is not read where the page does not ask", () => {
    const rules = { ...ASKS, asksEmail: false };
    assert.deepEqual(readEmail({ email: "other@example.com" }, rules), { email: undefined });
    assert.deepEqual(readEmail({}, rules), { email: undefined });
  });
});

test("what was typed is shown again, unless it holds a card number", () => {
  assert.deepEqual(keptValues({ email: "maya@example" }), { email: "maya@example" });
  assert.deepEqual(keptValues({ email: "4012888888881881@example.com" }), {});
});
