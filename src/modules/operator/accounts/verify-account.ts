/** Marks an account whose owner we know: only then it takes live payments (Decision 0031). */

import { sql } from "../../../infra/db/query.ts";
import { defineAction } from "../command.ts";
import { accountNumberField } from "../fields.ts";
import { changeAccount } from "./account.ts";

export const verifyAccount = defineAction({
  name: "verify-account",
  right: "risk",
  about: "say that we know who is behind an account",
  more: "Until then it takes payments in the sandbox only.",
  fields: { account_number: accountNumberField },
  subject: "account_number",
  example: { given: "1234567890", shows: "Account 1234567890 is verified.", entry: 3 },
  run: (_ctx, input, act) =>
    changeAccount(act, input.account_number, {
      refuse: ({ verified_at }) => verified_at !== null && "is verified already.",
      set: sql`verified_at = app_now()`,
      action: "account_verified",
      data: { verified: true },
      text: "is verified.",
    }),
});
