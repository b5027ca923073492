/** Makes a frozen account active again (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { accountNumberField } from "../fields.ts";
import { changeAccount } from "./account.ts";

export const unfreezeAccount = defineAction({
  name: "unfreeze-account",
  right: "risk",
  about: "let a frozen account be used again",
  more: "Tokens and keys that have not ended in the meantime work again.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: { given: "1234567890", shows: "Account 1234567890 is active again.", entry: 6 },
  run: (_ctx, input, act) =>
    changeAccount(act, input.account_number, {
      refuse: ({ status }) => status !== "frozen" && "is not frozen.",
      set: sql`status = 'active'`,
      action: "account_unfrozen",
      data: { status: "active" },
      text: "is active again.",
    }),
});
