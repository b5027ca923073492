/** The page about the sandbox tells the demo world as it is made. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../../src/demo-world.ts";
import { formatMoney } from "../../src/kit/money.ts";

const text = readFileSync(new URL("../../docs/sandbox.md", import.meta.url), "utf8");

test("each account of the demo world stands there with all that is made of it", () => {
  const rows = DEMO_ACCOUNTS.map((one) => {
    const banks = [one.localBank && "local", one.foreignBank && "foreign"].filter(Boolean);
    const cells = [
      one.email,
      `${one.accountNumber}, ${one.firstName} ${one.lastName}`,
      `${one.countryCode}, ${one.accountType}${one.isMainMerchant ? ", main merchant" : ""}`,
      one.funds.map((money) => `${formatMoney(money)} ${money.currency}`).join(", "),
      banks.join(", ") || "none",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  for (const row of rows) assert(text.includes(row), row);
  assert(text.includes(DEMO_PASSWORD));
});
