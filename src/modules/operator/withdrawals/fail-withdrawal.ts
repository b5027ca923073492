/** Gives a withdrawal up: its owner has amount and fee back (Decision 0049). */

import { scrub } from "../../../kit/scrub.ts";
import type { WithdrawalRow } from "../../withdrawals/withdrawal.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";

import { moveByOperator, notPaidField, reasonField, withdrawn } from "./withdrawal.ts";

export const failWithdrawal = defineAction({
  name: "fail-withdrawal",
  right: "money",
  moves: (tx, input) => withdrawn(tx, input.transaction_id),
  about: "give a withdrawal up, and give amount and fee back",
  more:
    "For one that is held, or that the bank does not pay. If a bank was ever told of it, " +
    "--not-paid is demanded: what the bank pays after all is our loss.",
  fields: { transaction_id: transactionIdField, tell: reasonField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --tell closed --not-paid",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD has failed.
Its owner has amount and fee back.`,
    entry: 14,
  },
  run: (_ctx, { transaction_id: transactionId, tell, not_paid: isNotPaid }, act) =>
    moveByOperator(act, {
      transactionId,
      isNotPaid,
      move: { to: "failed", reason: scrub(tell) },
      action: "withdrawal_failed",
      refuse: refuseUnlessUnderWay,
      mayBePaid: ({ payout_count }) => payout_count > 0,
      text: "has failed.\nIts owner has amount and fee back.",
    }),
});

function refuseUnlessUnderWay({ status }: WithdrawalRow): string | false {
  if (status === "pending")
    return "is pending: hold it first with hold-withdrawal, so that nobody pays it.";
  return status !== "processing" && status !== "held" && `is ${status}, and that is the end of it.`;
}
