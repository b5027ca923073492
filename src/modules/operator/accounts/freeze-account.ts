/** Stops an account. No cache has to be cleared: every request reads the state (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { accountNumberField } from "../fields.ts";
import { changeAccount } from "./account.ts";

export const freezeAccount = defineAction({
  name: "freeze-account",
  right: "risk",
  about: "stop an account at once: sign-ins, tokens and keys",
  more:
    "Requests that arrive from now on are refused, on every process. Nothing is revoked: tokens " +
    "and keys that have not ended by then work again after unfreeze-account. Payments under way " +
    "finish, and its money stays where it is.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: {
    given: "1234567890",
    shows: "Account 1234567890 is frozen. Its sign-ins, tokens and keys are refused from now on.",
    entry: 5,
  },
  run: (_ctx, input, act) =>
    changeAccount(act, input.account_number, {
      refuse: ({ status }) => status === "frozen" && "is frozen already.",
      set: sql`status = 'frozen'`,
      action: "account_frozen",
      data: { status: "frozen" },
      text: "is frozen. Its sign-ins, tokens and keys are refused from now on.",
    }),
});
