/** Stops a withdrawal until a person has looked at it (Decision 0049). */

import { scrub } from "../../../kit/scrub.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";
import { moveByOperator, notPaidField, reasonField } from "./withdrawal.ts";

export const holdWithdrawal = defineAction({
  name: "hold-withdrawal",
  right: "hold",
  about: "stop a withdrawal until somebody has looked at it",
  more:
    "Its owner cannot cancel it meanwhile, and its money stays held. One that a bank was told of " +
    "is paid again after release-withdrawal, so it demands --not-paid.",
  fields: { transaction_id: transactionIdField, tell: reasonField, not_paid: notPaidField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --tell checked",
    shows: `Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is held.
Go on with release-withdrawal or fail-withdrawal.`,
    entry: 12,
  },
  run: (_ctx, { transaction_id: transactionId, tell, not_paid: isNotPaid }, act) =>
    moveByOperator(act, {
      transactionId,
      isNotPaid,
      move: { to: "held", reason: scrub(tell) },
      action: "withdrawal_held",
      refuse: ({ status }) => status === "held" && "is held already.",
      mayBePaid: ({ status }) => status === "processing",
      text: "is held.\nGo on with release-withdrawal or fail-withdrawal.",
    }),
});
