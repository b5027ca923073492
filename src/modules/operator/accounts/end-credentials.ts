/** Ends every sign-in and API key of an account, on every process at once (Decision 0073). */

import { endCredentials as end } from "../../auth/end-credentials.ts";
import { defineAction } from "../command.ts";
import { accountField, lockAccount } from "./account.ts";

export const endCredentials = defineAction({
  name: "end-credentials",
  about: "end all tokens, API keys and reset links of an account for good",
  more:
    "Holds on every process for requests that arrive from now on, and cannot be undone: the " +
    "owner signs in again and makes new keys. The password stays; reset-password makes a link " +
    "for a new one. Webhooks and payment keys stay, too.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "1234567890",
    shows: `Account 1234567890: sign-ins ended: 2, API keys ended: 1.
Audit entry 8.`,
  },
  run: (_ctx, { account: wanted }, act) =>
    act(async (tx) => {
      const { account_number: accountNumber } = await lockAccount(tx, wanted);
      const ended = await end(tx, accountNumber);
      const counts = { sign_ins: ended.signIns, api_keys: ended.keys };
      return {
        entry: { action: "credentials_ended", accountNumber, detail: counts },
        data: { account_number: accountNumber, ...counts },
        text:
          `Account ${accountNumber}: sign-ins ended: ${ended.signIns}, ` +
          `API keys ended: ${ended.keys}.`,
      };
    }),
});
