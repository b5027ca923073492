/** Marks a business that may make accounts, or ends that (Decisions 0010, 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { accountNumberField, switchOption } from "../fields.ts";
import { changeAccount, type LockedAccount } from "./account.ts";

export const mainMerchant = defineAction({
  name: "main-merchant",
  right: "risk",
  about: "let a business make accounts, or no longer",
  more:
    "One that stops being a main merchant loses the scopes of accounts with its next request; " +
    "the accounts it made go on.",
  fields: {
    account_number: accountNumberField,
    mark: switchOption("It is a main merchant from now on."),
    unmark: switchOption("It is none any more."),
  },
  subject: "account_number",
  exactlyOne: ["mark", "unmark"],
  example: {
    given: "1234567890 --mark",
    shows: "Account 1234567890 is a main merchant.",
    entry: 4,
  },
  run(_ctx, { account_number: accountNumber, mark }, act) {
    const state = mark ? "a main merchant" : "no main merchant";
    const refuse = ({ account_type, is_main_merchant }: LockedAccount) => {
      if (mark && account_type !== "BUSINESS")
        return `is ${account_type}: only a BUSINESS account can be a main merchant.`;
      return is_main_merchant === mark && `is ${state} already.`;
    };
    return changeAccount(act, accountNumber, {
      refuse,
      set: sql`is_main_merchant = ${mark}`,
      action: mark ? "main_merchant_marked" : "main_merchant_unmarked",
      data: { main_merchant: mark },
      text: `is ${state}.`,
    });
  },
});
