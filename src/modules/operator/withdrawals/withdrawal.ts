/** A withdrawal as an operator reaches it: any, by its id; and how an operator moves it. */

import type { Queryable } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord, NotFound, NotNow, OperatorError } from "../../../kit/errors.ts";
import { line } from "../../../kit/fields/text.ts";
import { money } from "../../../kit/money.ts";
import {
  lockWithdrawal,
  moveWithdrawal,
  type WithdrawalMove,
} from "../../withdrawals/move-withdrawal.ts";
import { isBeingTold } from "../../withdrawals/payout.ts";
import { readWithdrawal, type WithdrawalRow } from "../../withdrawals/withdrawal.ts";
import type { Act, Moved, Report } from "../command.ts";
import { option, switchOption } from "../fields.ts";

/** The record takes more, and puts its own words in front. */
const REASON_LENGTH_MAX = 200;

export const reasonField = option(
  line(REASON_LENGTH_MAX),
  "text",
  "What its owner reads about it, in the record and in webhooks.",
);

export const notPaidField = switchOption(
  "The bank has said that it has not paid it and never will. Needed once a bank was told.",
);

const unknownWithdrawal = (transactionId: string) =>
  new NoSuchRecord(`There is no withdrawal ${transactionId}.`);

export async function findAnyWithdrawal(
  db: Queryable,
  transactionId: string,
): Promise<WithdrawalRow> {
  const row = await readWithdrawal(db, transactionId);
  if (row === undefined) throw unknownWithdrawal(transactionId);
  return row;
}

/** What a withdrawal takes from its account, for a second person (Decision 0119). */
export async function withdrawn(db: Queryable, transactionId: string): Promise<Moved> {
  const row = await findAnyWithdrawal(db, transactionId);
  const { currency, amount_minor, account_number: accountNumber } = row;
  return { amount: money(currency, amount_minor), accountNumber, transactionId };
}

interface OperatorMove {
  readonly transactionId: string;
  readonly isNotPaid: boolean;
  readonly move: WithdrawalMove;
  readonly action: string;
  /** Why its state does not allow this; the sentence begins with its id. */
  refuse(row: WithdrawalRow): string | false;
  /** Whether a bank may have paid it. */
  mayBePaid(row: WithdrawalRow): boolean;
  readonly text: string;
}

/** The row is locked until the tx ends, so that what was checked is true when it moves. */
export function moveByOperator(act: Act, wanted: OperatorMove): Promise<Report> {
  const { transactionId, isNotPaid, move, action, text } = wanted;
  return act(async (tx) => {
    const row = await lockWithdrawal(tx, transactionId).catch((error: unknown) => {
      throw error instanceof NotFound ? unknownWithdrawal(transactionId) : error;
    });
    const because = wanted.refuse(row);
    if (because !== false) throw withdrawalRefuses(row, because);
    if (wanted.mayBePaid(row)) await demandNotPaid(tx, row, isNotPaid);
    await moveWithdrawal(tx, transactionId, move);
    // What is released was held.
    const from = move.to === "pending" ? {} : { from: row.status };
    return {
      entry: {
        action,
        accountNumber: row.account_number,
        detail: { transaction_id: transactionId, ...from, not_paid: isNotPaid },
      },
      data: { transaction_id: transactionId, status: move.to },
      text: `Withdrawal ${transactionId} ${text}`,
    };
  });
}

function withdrawalRefuses({ transaction_id }: WithdrawalRow, because: string) {
  return new OperatorError(`${transaction_id} ${because}`);
}

/**
 * Giving back, or paying again, what a bank may have paid is paying twice. While an order is being
 * sent, nobody can say that it was not paid.
 */
async function demandNotPaid(tx: Tx, row: WithdrawalRow, isSaidNotPaid: boolean): Promise<void> {
  if (!isSaidNotPaid)
    throw withdrawalRefuses(
      row,
      `is ${row.status}, and a bank was told to pay it. Ask the bank; if it has ` +
        "not paid it and never will, say so with --not-paid.",
    );
  if (await isBeingTold(tx, row))
    throw new NotNow(
      `${row.transaction_id} is being told to its bank at this moment. ` +
        "Wait a minute, ask the bank again, and repeat.",
    );
}
