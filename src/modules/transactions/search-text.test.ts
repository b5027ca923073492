/** The guarantee: a text is looked for as everything that it may be, and as nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readSearchText, type SearchTerms } from "./search-text.ts";

const ID = "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD";
const part = (word: string) => ({ orderId: word, orderPrefix: word, emailPrefix: word });

const CASES: readonly [typed: string, terms: SearchTerms | undefined][] = [
  ["", undefined],
  ["  ", undefined],
  [` ${ID.toLowerCase()} `, { transactionId: ID, ...part(ID.toLowerCase()) }],
  ["order-7", part("order-7")],
  ["#order-7", { orderId: "order-7", orderPrefix: "order-7", emailPrefix: "#order-7" }],
  ["order-", { orderPrefix: "order-", emailPrefix: "order-" }],
  ["a1", { orderId: "a1" }],
  ["Anika@Example.com", { email: "anika@example.com", emailPrefix: "anika@example.com" }],
  ["anika@", { emailPrefix: "anika@" }],
  ["@example.com", {}],
  ["1111", { ...part("1111"), lastFour: "1111", amount: { minor: 111100n, currency: undefined } }],
  ["**** 1111", { lastFour: "1111" }],
  ["25.00", { emailPrefix: "25.00", amount: { minor: 2500n, currency: undefined } }],
  ["TTD 1,250.5", { amount: { minor: 125050n, currency: "TTD" } }],
  ["25 usd", { amount: { minor: 2500n, currency: "USD" } }],
  ["25 eur", {}],
  ["TTD 25 TTD", {}],
  ["$25", { emailPrefix: "$25", amount: { minor: 2500n, currency: undefined } }],
  ["a b", {}],
  ["x".repeat(300), {}],
];

for (const [typed, terms] of CASES)
  test(`“${typed.slice(0, 40)}”`, () => assert.deepEqual(readSearchText(typed), terms));
