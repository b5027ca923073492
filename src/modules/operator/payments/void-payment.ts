/** Ends a payment that is not paid yet, so that it never will be (Decision 0120). */

import { OperatorError } from "../../../kit/errors.ts";
import { expireNow } from "../../checkout/session/end-sessions.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";
import { customerTotal } from "./moved-money.ts";
import { findPayment } from "./payment.ts";

export const voidPayment = defineAction({
  name: "void-payment",
  right: "money",
  moves: (tx, input) => customerTotal(tx, input.transaction_id),
  about: "end a payment that is not paid yet",
  more:
    "Its page takes no card from then on, and the merchant is told that it failed. While a " +
    "card's bank has not answered, the payment ends with that answer. What is paid is refunded " +
    "with refund-payment.",
  fields: { transaction_id: transactionIdField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: "Payment TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is void: nobody can pay it any more.",
    entry: 7,
  },
  async run(ctx, { transaction_id: transactionId }, act) {
    const purposes = await ctx.purposes();
    return act(async (tx) => {
      const before = await findPayment(tx, transactionId);
      if (before.status !== "incomplete") throw notOpen(transactionId, before.status);
      await expireNow({ ...ctx, purposes, failpoint() {} }, tx, transactionId);
      const { status, account_number: accountNumber } = await findPayment(tx, transactionId);
      const isOver = status === "failed";
      // One that was paid while we waited for its lock.
      if (!isOver && status !== "incomplete") throw notOpen(transactionId, status);
      return {
        entry: {
          action: "payment_voided",
          accountNumber,
          detail: { transaction_id: transactionId },
        },
        data: { transaction_id: transactionId, status },
        text: isOver
          ? `Payment ${transactionId} is void: nobody can pay it any more.`
          : `Payment ${transactionId} takes no further card. A card's bank has not\n` +
            "answered yet: what it says is the end of it.",
      };
    });
  },
});

function notOpen(transactionId: string, status: string): OperatorError {
  const instead = status === "success" ? " Refund it instead." : "";
  return new OperatorError(`Payment ${transactionId} is over: it is ${status}.${instead}`);
}
