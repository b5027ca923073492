/**
 * Says whether a business answers for accounts that it makes itself. One that stops being a main
 * merchant loses those scopes with its next request; what it made goes on (Decisions 0010, 0031).
 */

import { sql } from "../../../infra/db/query.ts";
import { defineAction, switchField } from "../command.ts";
import { AccountRefuses, accountNumberField, lockAccount } from "./account.ts";

export const mainMerchant = defineAction({
  name: "main-merchant",
  about: "let a business make accounts, or no longer",
  more:
    "One that stops being a main merchant loses the scopes of accounts with its next request; " +
    "the accounts it made go on.",
  fields: {
    account_number: accountNumberField,
    mark: switchField("It is a main merchant from now on."),
    unmark: switchField("It is none any more."),
  },
  subject: "account_number",
  exactlyOne: ["mark", "unmark"],
  example: {
    given: "1234567890 --mark",
    shows: `Account 1234567890 is a main merchant.
Audit entry 4.`,
  },
  run: (_ctx, { account_number: accountNumber, mark }, act) =>
    act(async (tx) => {
      const account = await lockAccount(tx, accountNumber);
      if (mark && account.account_type !== "BUSINESS")
        throw new AccountRefuses(
          `Account ${accountNumber} is ${account.account_type}: only a BUSINESS account can be ` +
            "a main merchant.",
        );
      const state = mark ? "a main merchant" : "no main merchant";
      if (account.is_main_merchant === mark)
        throw new AccountRefuses(`Account ${accountNumber} is ${state} already.`);
      await tx.run(sql`
        update accounts set is_main_merchant = ${mark} where account_number = ${accountNumber}`);
      return {
        entry: { action: mark ? "main_merchant_marked" : "main_merchant_unmarked", accountNumber },
        data: { account_number: accountNumber, main_merchant: mark },
        text: `Account ${accountNumber} is ${state}.`,
      };
    }),
});
