/** Gives a withdrawal up: its owner has amount and fee back (Decision 0049). */

import { scrub } from "../../../kit/scrub.ts";
import { moveWithdrawal } from "../../withdrawals/move-withdrawal.ts";
import type { WithdrawalRow } from "../../withdrawals/withdrawal.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../payments/payment.ts";
import {
  demandNotPaid,
  lockAnyWithdrawal,
  notPaidField,
  toldField,
  WithdrawalRefuses,
} from "./withdrawal.ts";

export const failWithdrawal = defineAction({
  name: "fail-withdrawal",
  about: "give a withdrawal up, and give amount and fee back",
  more:
    "For one that is held, or that the bank does not pay. If a bank was ever told of it, " +
    "--not-paid is demanded: what the bank pays after all is our loss.",
  fields: { transaction_id: transactionIdField, tell: toldField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --tell closed --not-paid",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD has failed.
Its owner has amount and fee back.
Audit entry 14.`,
  },
  run: (_ctx, { transaction_id: transactionId, tell, not_paid: isNotPaid }, act) =>
    act(async (tx) => {
      const row = await lockAnyWithdrawal(tx, transactionId);
      demandUnderWay(row);
      if (row.payout_count > 0) await demandNotPaid(tx, row, isNotPaid);
      await moveWithdrawal(tx, transactionId, { to: "failed", reason: scrub(tell) });
      return {
        entry: {
          action: "withdrawal_failed",
          accountNumber: row.account_number,
          detail: { transaction_id: transactionId, from: row.status, not_paid: isNotPaid },
        },
        data: { transaction_id: transactionId, status: "failed" },
        text: `Withdrawal ${transactionId} has failed.\nIts owner has amount and fee back.`,
      };
    }),
});

function demandUnderWay({ transaction_id, status }: WithdrawalRow): void {
  if (status === "pending")
    throw new WithdrawalRefuses(
      `${transaction_id} is pending: hold it first with hold-withdrawal, so that nobody pays it.`,
    );
  if (status !== "processing" && status !== "held")
    throw new WithdrawalRefuses(`${transaction_id} is ${status}, and that is the end of it.`);
}
