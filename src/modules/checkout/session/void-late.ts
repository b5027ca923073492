/**
 * Undoes an approval that came after the session had ended (Decision 0040). The customer was shown
 * that nothing was paid, so nothing may stay paid: the void is repeated until the gateway has done
 * it, and every step is in the audit trail. The merchant gets an event when it is done, to have an
 * answer for a customer who saw the charge.
 */

import { insertAudit } from "../../../infra/audit.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { environmentOfTransaction } from "../../../kit/ids.ts";
import { withinLimit } from "../../gateway/call-lease.ts";
import type { Gateway, VoidAnswer } from "../../gateway/port.ts";
import { askAfterSeconds, type ClaimedAttempt } from "./attempt.ts";
import { voidedApprovals } from "./checkout-metrics.ts";
import type { CheckoutContext, SessionContext } from "./context.ts";
import { recordsOf } from "./record.ts";
import { errorKind } from "./result-messages.ts";

const ACTOR = "checkout";

interface LateApproval {
  readonly attemptId: string;
  readonly transactionId: string;
}

/** In the tx that makes their voids due. */
export async function noteLateApprovals(
  { purposes }: SessionContext,
  tx: Tx,
  late: readonly LateApproval[],
): Promise<void> {
  for (const { attemptId: attempt_id, transactionId: transaction_id } of late) {
    const { account_number } = await tx.one(sqlOf(pick(tables.transactions, "account_number"))`
      select record.account_number from checkout_sessions as session
      cross join ${recordsOf(purposes)} where session.transaction_id = ${transaction_id}`);
    await insertAudit(tx, {
      action: "late_approval",
      accountNumber: account_number,
      actor: ACTOR,
      detail: { transaction_id, attempt_id },
    });
  }
}

/** Of an attempt that this process has claimed. */
export async function voidLate(
  ctx: CheckoutContext,
  gateway: Gateway,
  claimed: ClaimedAttempt,
): Promise<void> {
  const { attempt_id: attemptId, transaction_id: transactionId } = claimed;
  const answer = await withinLimit<VoidAnswer>(
    () => gateway.voidSale(attemptId),
    // It is asked again, and a sale is voided once however often it is asked.
    async (late) => void (await late.catch(() => undefined)),
  ).catch((error: unknown) => ({ outcome: "lost", reason: errorKind(error) }) as const);
  await ctx.failpoint("void: done");
  if (answer.outcome === "voided") {
    if (await writeVoided(ctx, claimed)) {
      voidedApprovals.inc({ environment: environmentOfTransaction(transactionId) });
      ctx.log.warn({ attemptId, transactionId }, "a late approval was voided");
    }
    return;
  }
  const { reason } = answer;
  ctx.log.error({ attemptId, transactionId, reason }, "a late approval could not be voided yet");
  const seconds = askAfterSeconds(claimed.ask_count, gateway.askAfterSeconds);
  await ctx.db.run(sql`
    update checkout_attempts
    set next_ask_at = app_now() + make_interval(secs => ${seconds})
    where attempt_id = ${attemptId} and state = 'void_due'`);
}

/** Whether this call wrote it. */
function writeVoided({ db, purposes }: CheckoutContext, claimed: ClaimedAttempt): Promise<boolean> {
  const { attempt_id, transaction_id, account_number, purpose } = claimed;
  return db.transaction(async (tx) => {
    const count = await tx.run(sql`
      update checkout_attempts set state = 'voided', next_ask_at = null
      where attempt_id = ${attempt_id} and state = 'void_due'`);
    if (count !== 1) return false;
    await purposes[purpose].tellVoided(tx, claimed);
    await insertAudit(tx, {
      action: "late_approval_voided",
      accountNumber: account_number,
      actor: ACTOR,
      detail: { transaction_id, attempt_id },
    });
    return true;
  });
}
