/** Makes the link with which an account's owner sets a new password (Decision 0070). */

import { findHolder } from "../../people/person.ts";
import { RESET_LINK_MINUTES } from "../../people/reset-link.ts";
import { defineAction } from "../command.ts";
import { accountField } from "../fields.ts";
import { mailedLink } from "../mailed-link.ts";
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
        throw accountRefuses(account, "is frozen: unfreeze-account comes first.");
      const { account_number: accountNumber } = account;
      const holder = await findHolder(tx, accountNumber);
      if (holder === undefined) throw new Error(`account ${accountNumber} has no holder`);
      const made = {
        madeFor: "who_was_helped",
        title: `A link for account ${accountNumber}`,
      } as const;
      return {
        action: "password_reset_link_made",
        ...(await mailedLink(config, tx, holder, made)),
      };
    }),
});
