/**
 * How many withdrawals an account may ask for in a day: whoever has taken an account over can
 * empty it only so fast, and somebody is told (Decision 0045). One that comes to nothing counts for
 * nothing.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { countInDay, TooManyAttempts, windowKey } from "../../infra/http/admit/rate-limiter.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { WithdrawalsContext } from "./context.ts";

class TooManyWithdrawals extends TooManyAttempts {}

export async function countTowardsDay(
  { config }: WithdrawalsContext,
  tx: Tx,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
): Promise<void> {
  const key = windowKey("withdrawals", `${environment} ${accountNumber}`);
  const { granted, retryAfterSeconds } = await countInDay(tx, {
    key,
    max: config.withdrawals.perDayMax,
  });
  if (!granted) throw new TooManyWithdrawals(retryAfterSeconds);
}

/** Outside the tx, which is rolled back. */
export async function auditedWhenTooMany<T>(
  { db }: WithdrawalsContext,
  caller: Caller,
  asking: Promise<T>,
): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof TooManyWithdrawals)
      await recordAudit(db, caller, "withdrawal_limit_reached");
    throw error;
  }
}
