/**
 * A main merchant makes an account on its own platform. The new one is nobody's main merchant and
 * not verified: both are for the operator to say (Decision 0022).
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { AccountsContext } from "./context.ts";
import { createAccount, type NewAccount } from "./create-account.ts";
import { demandStillManages } from "./managed-account.ts";

type MadeAccount = Pick<
  NewAccount,
  "accountType" | "email" | "firstName" | "lastName" | "phone" | "password"
>;

export async function makeAccount(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  wanted: MadeAccount,
): Promise<string> {
  await demandStillManages(ctx, tx, caller);
  const accountNumber = await createAccount(tx, {
    ...wanted,
    countryCode: caller.countryCode,
    madeBy: caller.accountNumber,
  });
  const detail = { account_type: wanted.accountType };
  await recordAudit(tx, caller, "account_created", { to: accountNumber, detail });
  return accountNumber;
}
