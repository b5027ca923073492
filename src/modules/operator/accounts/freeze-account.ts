/** Stops an account. Nobody is told: every request reads the state anew (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { AccountRefuses, accountNumberField, lockAccount } from "./account.ts";

export const freezeAccount = defineAction({
  name: "freeze-account",
  about: "stop an account at once: sign-ins, tokens and keys",
  more:
    "Requests that arrive from now on are refused, on every process. Nothing is revoked: tokens " +
    "and keys that have not ended by then work again after unfreeze-account. Payments under way " +
    "finish, and its money stays where it is.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: {
    given: "1234567890",
    shows: `Account 1234567890 is frozen. Its sign-ins, tokens and keys are refused from now on.
Audit entry 5.`,
  },
  run: (_ctx, { account_number: accountNumber }, act) =>
    act(async (tx) => {
      const { status } = await lockAccount(tx, accountNumber);
      if (status === "frozen")
        throw new AccountRefuses(`Account ${accountNumber} is frozen already.`);
      await tx.run(sql`
        update accounts set status = 'frozen' where account_number = ${accountNumber}`);
      return {
        entry: { action: "account_frozen", accountNumber },
        data: { account_number: accountNumber, status: "frozen" },
        text:
          `Account ${accountNumber} is frozen. ` +
          "Its sign-ins, tokens and keys are refused from now on.",
      };
    }),
});
