/** Lets a held withdrawal go on: it waits to be paid out again (Decision 0049). */

import { moveWithdrawal } from "../../withdrawals/move-withdrawal.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../payments/payment.ts";
import { demandNotPaid, lockAnyWithdrawal, notPaidField, WithdrawalRefuses } from "./withdrawal.ts";

export const releaseWithdrawal = defineAction({
  name: "release-withdrawal",
  about: "let a held withdrawal go on",
  more:
    "It is pending again: the next bank file has it, or its owner cancels it. If a bank was ever " +
    "told of it, --not-paid is demanded: look with show-withdrawal what the bank has said since.",
  fields: { transaction_id: transactionIdField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is released, and waits to be paid out.
Audit entry 13.`,
  },
  run: (_ctx, { transaction_id: transactionId, not_paid: isNotPaid }, act) =>
    act(async (tx) => {
      const row = await lockAnyWithdrawal(tx, transactionId);
      if (row.status !== "held")
        throw new WithdrawalRefuses(`${transactionId} is not held: it is ${row.status}.`);
      if (row.payout_count > 0) await demandNotPaid(tx, row, isNotPaid);
      await moveWithdrawal(tx, transactionId, { to: "pending" });
      return {
        entry: {
          action: "withdrawal_released",
          accountNumber: row.account_number,
          detail: { transaction_id: transactionId, not_paid: isNotPaid },
        },
        data: { transaction_id: transactionId, status: "pending" },
        text: `Withdrawal ${transactionId} is released, and waits to be paid out.`,
      };
    }),
});
