/** Stops a withdrawal until somebody has looked at it (Decision 0049). */

import { scrub } from "../../../kit/scrub.ts";
import { moveWithdrawal } from "../../withdrawals/move-withdrawal.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../payments/payment.ts";
import {
  demandNotPaid,
  lockAnyWithdrawal,
  notPaidField,
  toldField,
  WithdrawalRefuses,
} from "./withdrawal.ts";

export const holdWithdrawal = defineAction({
  name: "hold-withdrawal",
  about: "stop a withdrawal until somebody has looked at it",
  more:
    "Its owner cannot cancel it meanwhile, and its money stays held. One that a bank was told of " +
    "is paid again after release-withdrawal, so it demands --not-paid.",
  fields: { transaction_id: transactionIdField, tell: toldField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --tell checked",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is held.
Go on with release-withdrawal or fail-withdrawal.
Audit entry 12.`,
  },
  run: (_ctx, { transaction_id: transactionId, tell, not_paid: isNotPaid }, act) =>
    act(async (tx) => {
      const row = await lockAnyWithdrawal(tx, transactionId);
      if (row.status === "held") throw new WithdrawalRefuses(`${transactionId} is held already.`);
      if (row.status === "processing") await demandNotPaid(tx, row, isNotPaid);
      await moveWithdrawal(tx, transactionId, { to: "held", reason: scrub(tell) });
      return {
        entry: {
          action: "withdrawal_held",
          accountNumber: row.account_number,
          detail: { transaction_id: transactionId, from: row.status, not_paid: isNotPaid },
        },
        data: { transaction_id: transactionId, status: "held" },
        text:
          `Withdrawal ${transactionId} is held.\n` +
          "Go on with release-withdrawal or fail-withdrawal.",
      };
    }),
});
