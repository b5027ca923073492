/**
 * Cancels a withdrawal that has not been sent to a bank; amount and fee return to the balance
 * (Interface §3.3, Decision 0045). Against a dispatch at the same moment the row lock decides.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { WithdrawalsContext } from "./context.ts";
import { moveWithdrawal } from "./move-withdrawal.ts";
import { findWithdrawal } from "./withdrawal.ts";

export async function cancelWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  request: { transactionId: string; environment: Environment | undefined },
): Promise<void> {
  await ctx.holdCredential(tx, caller, "read");
  const { accountNumber, credential } = caller;
  const { transactionId } = request;
  const environment = reachOf(credential, request.environment);
  await findWithdrawal(tx, { transactionId, accountNumber, environment });
  await recordAudit(tx, caller, "withdrawal_cancelled", {
    detail: { transaction_id: transactionId },
  });
  await moveWithdrawal(tx, transactionId, { to: "cancelled" });
  await ctx.failpoint("cancel: moved");
}
