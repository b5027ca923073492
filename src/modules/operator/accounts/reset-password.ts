/** Makes the link with which an account's owner sets a new password (Decision 0070). */

import { mailResetLink } from "../../people/forgot-password.ts";
import { findHolder } from "../../people/person.ts";
import { makeResetLink, RESET_LINK_MINUTES } from "../../people/reset-link.ts";
import { defineAction } from "../command.ts";
import { accountField } from "../fields.ts";
import { plain } from "../render.ts";
import { accountRefuses, actOnAccount } from "./account.ts";

export const resetPassword = defineAction({
  name: "reset-password",
  right: "assist",
  about: "make a link by which an account's owner sets a new password",
  more:
    `The link works once, for ${RESET_LINK_MINUTES} minutes; an earlier one is worthless from ` +
    "now on. Where mail is set up it goes to the owner's address and is not shown; otherwise be " +
    "sure who is asking, and send it to nobody else: it takes the account over. Using it ends " +
    "every sign-in of the account; API keys stay.",
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
        throw accountRefuses(account, "is suspended: unfreeze-account comes first.");
      const { account_number: accountNumber } = account;
      const holder = await findHolder(tx, accountNumber);
      if (holder === undefined) throw new Error(`account ${accountNumber} has no holder`);
      const link = await makeResetLink(config, tx, holder);
      await mailResetLink(config, tx, holder, link);
      const action = "password_reset_link_made";
      const until = `good until ${plain(link.expiresAt)}`;
      // Where mail reaches its owner nobody else sees the link.
      if (config.mail.transport.kind === "smtp")
        return {
          action,
          data: { mailed_to: holder.email, expires_at: link.expiresAt },
          text: `A link for account ${accountNumber}, ${until}, goes to ${holder.email} by mail.`,
        };
      return {
        action,
        data: { url: link.url, expires_at: link.expiresAt },
        text: `A link for account ${accountNumber}, ${until}, shown this once:\n${link.url}`,
      };
    }),
});
