/** Returns a held withdrawal to pending: it waits to be paid out again (Decision 0049). */

import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";

import { moveByOperator, notPaidField, withdrawn } from "./withdrawal.ts";

export const releaseWithdrawal = defineAction({
  name: "release-withdrawal",
  right: "money",
  moves: (tx, input) => withdrawn(tx, input.transaction_id),
  about: "let a held withdrawal go on",
  more:
    "It is pending again: the next bank file has it, or its owner cancels it. If a bank was ever " +
    "told of it, --not-paid is demanded: look with show-withdrawal what the bank has said since.",
  fields: { transaction_id: transactionIdField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: "Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is released, and waits to be paid out.",
    entry: 13,
  },
  run: (_ctx, { transaction_id: transactionId, not_paid: isNotPaid }, act) =>
    moveByOperator(act, {
      transactionId,
      isNotPaid,
      move: { to: "pending" },
      action: "withdrawal_released",
      refuse: ({ status }) => status !== "held" && `is not held: it is ${status}.`,
      mayBePaid: ({ payout_count }) => payout_count > 0,
      text: "is released, and waits to be paid out.",
    }),
});
