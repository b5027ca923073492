/** The guarantee: of the name in an e-mail no more than its first letter is left. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { maskEmail } from "./mask-email.ts";

test("the first letter and the domain are left, and of a single letter nothing", () => {
  const table: [email: string, masked: string][] = [
    ["jane.doe@example.com", "j…@example.com"],
    ["jd@example.com", "j…@example.com"],
    ["j@example.com", "…@example.com"],
    ["𝒿ane@example.com", "𝒿…@example.com"],
    ["jane+shop@mail.example.co.tt", "j…@mail.example.co.tt"],
  ];
  for (const [email, masked] of table) assert.equal(maskEmail(email), masked);
});
