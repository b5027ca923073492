/** Ends every sign-in in a browser for an account; keys and tokens stay (Decision 0120). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { accountField } from "../fields.ts";
import { actOnAccount } from "./account.ts";

export const endSessions = defineAction({
  name: "end-sessions",
  right: "assist",
  about: "sign all members of an account out of the console",
  more:
    "On every process at once. They sign in again. Tokens and API keys of programs stay: " +
    "end-credentials ends those, too.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "1234567890",
    shows: "Account 1234567890: console sessions ended: 2.",
    entry: 8,
  },
  run: (_ctx, input, act) =>
    actOnAccount(act, input.account, async (tx, { account_number: accountNumber }) => {
      const count = await tx.run(sql`
        update console_sessions set ended_at = real_now()
        where account_number = ${accountNumber} and ended_at is null`);
      return {
        action: "console_sessions_ended",
        detail: { sessions: count },
        data: { sessions: count },
        text: `Account ${accountNumber}: console sessions ended: ${count}.`,
      };
    }),
});
