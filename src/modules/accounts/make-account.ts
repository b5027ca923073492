/**
 * A main merchant makes an account on its own platform. The new one is nobody's main merchant and
 * not verified: both are for the operator to say (Decision 0022).
 */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { createAccount, type NewAccount } from "./create-account.ts";
import { demandStillManages } from "./managed-account.ts";
import { recordDeed } from "./record-deed.ts";

type MadeAccount = Pick<
  NewAccount,
  "accountType" | "email" | "firstName" | "lastName" | "phone" | "password"
>;

export async function makeAccount(tx: Tx, caller: Caller, wanted: MadeAccount): Promise<string> {
  await demandStillManages(tx, caller);
  const accountNumber = await createAccount(tx, {
    ...wanted,
    countryCode: caller.countryCode,
    madeBy: caller.accountNumber,
  });
  const detail = { account_type: wanted.accountType };
  await recordDeed(tx, caller, { action: "account_created", accountNumber, detail });
  return accountNumber;
}
