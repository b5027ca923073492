/**
 * How many withdrawals an account may ask for in a day: whoever has taken an account over can
 * empty it only so fast, and somebody is told (Decision 0045).
 *
 * Counted in the tx that asks: one that comes to nothing counts for nothing. Among many requests
 * at once no more get through, because each holds the count until it has ended.
 */

import { recordDeed } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { TooManyAttempts, windowKey } from "../../infra/http/rate-limiter.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { WithdrawalsContext } from "./context.ts";

const DAY_MS = DAY_SECONDS * SECOND_MS;
const STEP_MS = 60 * SECOND_MS;

class TooManyWithdrawals extends TooManyAttempts {}

export async function countTowardsDay(
  { config }: WithdrawalsContext,
  tx: Tx,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
): Promise<void> {
  const key = windowKey("withdrawals", `${environment} ${accountNumber}`);
  const { granted, retry_after_ms } = await tx.one<{ granted: number; retry_after_ms: bigint }>(sql`
    select granted, retry_after_ms
    from take_rate_limit(${key}, ${config.withdrawals.perDayMax}, ${DAY_MS}, ${STEP_MS}, 1)`);
  if (granted === 0) throw new TooManyWithdrawals(Math.ceil(Number(retry_after_ms) / SECOND_MS));
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
      await recordDeed(db, caller, "withdrawal_limit_reached");
    throw error;
  }
}
