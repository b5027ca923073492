/** Lets a frozen account go on (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { AccountRefuses, accountNumberField, lockAccount } from "./account.ts";

export const unfreezeAccount = defineAction({
  name: "unfreeze-account",
  about: "let a frozen account go on",
  more: "Tokens and keys that have not ended in the meantime work again.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: {
    given: "1234567890",
    shows: `Account 1234567890 is active again.
Audit entry 6.`,
  },
  run: (_ctx, { account_number: accountNumber }, act) =>
    act(async (tx) => {
      const { status } = await lockAccount(tx, accountNumber);
      if (status !== "frozen") throw new AccountRefuses(`Account ${accountNumber} is not frozen.`);
      await tx.run(sql`
        update accounts set status = 'active' where account_number = ${accountNumber}`);
      return {
        entry: { action: "account_unfrozen", accountNumber },
        data: { account_number: accountNumber, status: "active" },
        text: `Account ${accountNumber} is active again.`,
      };
    }),
});
