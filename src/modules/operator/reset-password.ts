/** Makes the link by which an account's owner sets a new password (Decision 0070). */

import { makeResetLink } from "../user/make-reset-link.ts";
import { RESET_LINK_MINUTES } from "../user/reset-link.ts";
import { defineAction } from "./command.ts";
import { AccountRefuses, accountField, lockAccount } from "./operated-account.ts";
import { plain } from "./render.ts";

export const resetPassword = defineAction({
  name: "reset-password",
  about: "make a link by which an account's owner sets a new password",
  more:
    `The link works once, for ${RESET_LINK_MINUTES} minutes; an earlier one is worthless from ` +
    "now on. Anyone with it can take the account over: be sure who is asking, and send it to " +
    "nobody else. Using it ends every sign-in of the account; API keys stay.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "shop@example.com",
    shows: `A link for account 1234567890, good until 2026-11-15 07:02:05Z, shown this once:
https://api.example.com/reset/Zk3v0T9yQ1mXc8LrWn5uBf2sHa7dEo4pGi6jKt0VxMw
Audit entry 7.`,
  },
  run: ({ config }, { account: wanted }, act) =>
    act(async (tx) => {
      const { account_number: accountNumber, status } = await lockAccount(tx, wanted);
      if (status === "frozen")
        throw new AccountRefuses(
          `Account ${accountNumber} is frozen: unfreeze-account comes first.`,
        );
      const { url, expiresAt } = await makeResetLink(config, tx, accountNumber);
      return {
        entry: { action: "password_reset_link_made", accountNumber },
        data: { account_number: accountNumber, url, expires_at: expiresAt },
        text:
          `A link for account ${accountNumber}, good until ${plain(expiresAt)}, ` +
          `shown this once:\n${url}`,
      };
    }),
});
