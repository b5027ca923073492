/** Makes the link with which an account's owner sets a new password (Decision 0070). */

import { findHolder } from "../../people/person.ts";
import { makeResetLink, RESET_LINK_MINUTES } from "../../people/reset-link.ts";
import { defineAction } from "../command.ts";
import { accountField } from "../fields.ts";
import { plain } from "../render.ts";
import { accountRefuses, actOnAccount } from "./account.ts";

export const resetPassword = defineAction({
  name: "reset-password",
  about: "make a link by which an account's owner sets a new password",
  more:
    `The link works once, for ${RESET_LINK_MINUTES} minutes; an earlier one is worthless from ` +
    "now on. Anyone who has it can take the account over: be sure who is asking, and send it to " +
    "nobody else. Using it ends every sign-in of the account; API keys stay.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "shop@example.com",
    shows: `A link for account 1234567890, good until 2026-11-15 07:02:05Z, shown this once:
https://api.example.com/reset/Zk3v0T9yQ1mXc8LrWn5uBf2sHa7dEo4pGi6jKt0VxMw`,
    entry: 7,
  },
  run: ({ config }, input, act) =>
    actOnAccount(act, input.account, async (tx, account) => {
      if (account.status === "frozen")
        throw accountRefuses(account, "is frozen: unfreeze-account comes first.");
      const { account_number: accountNumber } = account;
      const holder = await findHolder(tx, accountNumber);
      if (holder === undefined) throw new Error(`account ${accountNumber} has no holder`);
      const { url, expiresAt } = await makeResetLink(config, tx, holder);
      return {
        action: "password_reset_link_made",
        data: { url, expires_at: expiresAt },
        text:
          `A link for account ${accountNumber}, good until ${plain(expiresAt)}, ` +
          `shown this once:\n${url}`,
      };
    }),
});
