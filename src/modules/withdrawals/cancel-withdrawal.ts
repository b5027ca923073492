/**
 * Takes a withdrawal back while no bank has been told of it, and with it amount and fee (Interface
 * §3.3, Decision 0045). Against a dispatch at the same moment the lock of the row decides.
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
  asked: { transactionId: string; environment: Environment | undefined },
): Promise<void> {
  await ctx.holdCredential(tx, caller, "read");
  const { accountNumber, credential } = caller;
  const { transactionId } = asked;
  const environment = reachOf(credential, asked.environment);
  await findWithdrawal(tx, { transactionId, accountNumber, environment });
  await recordAudit(tx, caller, "withdrawal_cancelled", {
    detail: { transaction_id: transactionId },
  });
  await moveWithdrawal(tx, transactionId, { to: "cancelled" });
  await ctx.failpoint("cancel: moved");
}
