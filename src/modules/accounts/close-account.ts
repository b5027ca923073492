/**
 * Closes an account for good. Every sign-in and every request with one of its tokens or keys reads
 * the state anew, on every process, so all of them end with this tx (Decision 0022). Its holder
 * is a person who may act for other accounts, and goes on signing in for those (Decision 0146).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal, ServiceError } from "../../kit/errors.ts";
import type { AccountsContext } from "./context.ts";
import { lockManaged } from "./managed-account.ts";

export class OwnAccountStays extends fixedRefusal("own_account_stays") {}

/** Money or an open payment is left; the sentence comes from the module that checks it. */
export class AccountMustStayOpen extends ServiceError {
  constructor(message: string) {
    super("account_must_stay_open", { message });
  }
}

export async function closeAccount(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountNumber: string,
): Promise<void> {
  if (accountNumber === caller.accountNumber) throw new OwnAccountStays();
  await lockManaged(ctx, tx, caller, accountNumber);
  await closeLocked(ctx, tx, caller, accountNumber);
}

/** By its owner. What a main merchant has made would be without one, so it asks the operator. */
export async function closeOwnAccount(ctx: AccountsContext, tx: Tx, caller: Caller): Promise<void> {
  if (caller.isMainMerchant) throw new OwnAccountStays();
  await ctx.holdCredential(tx, caller, "write");
  await closeLocked(ctx, tx, caller, caller.accountNumber);
}

async function closeLocked(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountNumber: string,
): Promise<void> {
  // Under the lock: what would move money has finished, or will find the account closed.
  for (const reasonToStayOpen of ctx.reasonsToStayOpen) {
    const reason = await reasonToStayOpen(tx, accountNumber);
    if (reason !== undefined) throw new AccountMustStayOpen(reason);
  }
  await tx.run(sql`
    update accounts set status = 'closed', closed_at = app_now()
    where account_number = ${accountNumber}`);
  await tx.run(sql`
    update console_sessions set ended_at = real_now()
    where account_number = ${accountNumber} and ended_at is null`);
  await recordAudit(tx, caller, "account_closed", { to: accountNumber });
}
