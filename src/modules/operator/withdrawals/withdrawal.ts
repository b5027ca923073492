/** A withdrawal as an operator reaches it: anybody's, by its id. */

import type { Queryable } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NotFound, ServiceError } from "../../../kit/errors.ts";
import { line } from "../../../kit/fields/text.ts";
import { lockWithdrawal } from "../../withdrawals/move-withdrawal.ts";
import { isBeingTold } from "../../withdrawals/payout.ts";
import { readWithdrawal, type WithdrawalRow } from "../../withdrawals/withdrawal.ts";
import { asked, switchField } from "../command.ts";

/** The record takes more, and puts its own words in front. */
const TOLD_LENGTH_MAX = 200;

export const toldField = asked(
  line(TOLD_LENGTH_MAX),
  "text",
  "What its owner reads about it, in the record and in webhooks.",
);

export const notPaidField = switchField(
  "The bank has said that it has not paid it and never will. Needed once a bank was told.",
);

class UnknownWithdrawal extends ServiceError {
  constructor(transactionId: string) {
    const message = `There is no withdrawal ${transactionId}.`;
    super({ status: 404, code: "unknown_withdrawal", message });
  }
}

/** Its state does not allow this, and the sentence says what would. */
export class WithdrawalRefuses extends ServiceError {
  constructor(message: string) {
    super({ status: 409, code: "withdrawal_refuses", message });
  }
}

export async function findAnyWithdrawal(
  db: Queryable,
  transactionId: string,
): Promise<WithdrawalRow> {
  const row = await readWithdrawal(db, transactionId);
  if (row === undefined) throw new UnknownWithdrawal(transactionId);
  return row;
}

/** Held until the tx ends, so that what is decided now is true when it moves. */
export async function lockAnyWithdrawal(tx: Tx, transactionId: string): Promise<WithdrawalRow> {
  try {
    return await lockWithdrawal(tx, transactionId);
  } catch (error) {
    throw error instanceof NotFound ? new UnknownWithdrawal(transactionId) : error;
  }
}

/**
 * Giving back, or paying again, what a bank may have paid is paying twice. While an order may still
 * be on its way, nobody can say that it was not paid.
 */
export async function demandNotPaid(
  tx: Tx,
  row: WithdrawalRow,
  isSaidNotPaid: boolean,
): Promise<void> {
  const { transaction_id, status } = row;
  if (!isSaidNotPaid)
    throw new WithdrawalRefuses(
      `${transaction_id} is ${status}, and a bank was told to pay it. Ask the bank; if it has ` +
        "not paid it and never will, say so with --not-paid.",
    );
  if (await isBeingTold(tx, row))
    throw new WithdrawalRefuses(
      `${transaction_id} is being told to its bank at this moment. Wait a minute, ask the bank ` +
        "again, and repeat.",
    );
}
