/** Ends every sign-in and API key of an account, on every process at once (Decision 0073). */

import { endCredentials as end } from "../../auth/end-credentials.ts";
import { defineAction } from "../command.ts";
import { accountField } from "../fields.ts";
import { actOnAccount } from "./account.ts";

export const endCredentials = defineAction({
  name: "end-credentials",
  right: "risk",
  about: "end all tokens, API keys and reset links of an account for good",
  more:
    "Holds on every process for requests that arrive from now on, and cannot be undone: the " +
    "owner signs in again and makes new keys. The password stays; reset-password makes a link " +
    "for a new one. Webhooks and payment keys stay, too.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "1234567890",
    shows: "Account 1234567890: sign-ins ended: 2, API keys ended: 1.",
    entry: 8,
  },
  run: (_ctx, input, act) =>
    actOnAccount(act, input.account, async (tx, { account_number: accountNumber }) => {
      const { signIns, keys } = await end(tx, accountNumber);
      const counts = { sign_ins: signIns, api_keys: keys };
      return {
        action: "credentials_ended",
        detail: counts,
        data: counts,
        text: `Account ${accountNumber}: sign-ins ended: ${signIns}, API keys ended: ${keys}.`,
      };
    }),
});
