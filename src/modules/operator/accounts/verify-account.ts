/** Says that we know who is behind an account: only then it takes live payments (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { AccountRefuses, accountNumberField, lockAccount } from "./account.ts";

export const verifyAccount = defineAction({
  name: "verify-account",
  about: "say that we know who is behind an account",
  more: "Until then it takes payments in the sandbox only.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: {
    given: "1234567890",
    shows: `Account 1234567890 is verified.
Audit entry 3.`,
  },
  run: (_ctx, { account_number: accountNumber }, act) =>
    act(async (tx) => {
      const { verified_at: verifiedAt } = await lockAccount(tx, accountNumber);
      if (verifiedAt !== null)
        throw new AccountRefuses(`Account ${accountNumber} is verified already.`);
      await tx.run(sql`
        update accounts set verified_at = app_now() where account_number = ${accountNumber}`);
      return {
        entry: { action: "account_verified", accountNumber },
        data: { account_number: accountNumber, verified: true },
        text: `Account ${accountNumber} is verified.`,
      };
    }),
});
