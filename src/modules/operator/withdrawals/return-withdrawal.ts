/** The bank has sent a completed withdrawal back: its owner has amount and fee (Decision 0101). */

import { scrub } from "../../../kit/scrub.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";

import { moveByOperator, reasonField, withdrawn } from "./withdrawal.ts";

export const returnWithdrawal = defineAction({
  name: "return-withdrawal",
  right: "money",
  moves: (tx, input) => withdrawn(tx, input.transaction_id),
  about: "give back what the bank has sent back",
  more:
    "For a completed one whose money is on our account again, as when the payee's account was " +
    "closed. Look for it on the bank's statement first: this cannot be undone.",
  fields: { transaction_id: transactionIdField, tell: reasonField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --tell closed",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD has come back.
Its owner has amount and fee.`,
    entry: 16,
  },
  run: (_ctx, { transaction_id: transactionId, tell }, act) =>
    moveByOperator(act, {
      transactionId,
      isNotPaid: false,
      move: { to: "returned", reason: scrub(tell) },
      action: "withdrawal_returned",
      refuse: ({ status }) =>
        status !== "completed" && `is ${status}: only one that is completed can come back.`,
      mayBePaid: () => false,
      text: "has come back.\nIts owner has amount and fee.",
    }),
});
