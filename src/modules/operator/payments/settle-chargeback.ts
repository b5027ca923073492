/** Ends a chargeback: the bank has the money, or the merchant has it (Decisions 0030, 0031). */

import { settleChargeback as settle } from "../../transactions/dispute-chargeback.ts";
import { defineAction, switchField } from "../command.ts";
import { viewDispute } from "../view-dispute.ts";
import { findPayment, transactionIdField } from "./payment.ts";

export const settleChargeback = defineAction({
  name: "settle-chargeback",
  about: "end a chargeback: the bank has the money, or the merchant",
  more:
    "Processed is the end: nothing more of the payment can be refunded or disputed. What the " +
    "merchant could not cover of it is our loss.",
  fields: {
    transaction_id: transactionIdField,
    processed: switchField("The bank of the card has the money, for good."),
    released: switchField("The merchant has it back, and all is as before."),
  },
  subject: "transaction_id",
  exactlyOne: ["processed", "released"],
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --released",
    shows: `The chargeback of 40.00 TTD is released.
The merchant has 40.00 back.
Audit entry 9.`,
  },
  run: (_ctx, { transaction_id: transactionId, processed }, act) =>
    act(async (tx, signature) => {
      const payment = await findPayment(tx, transactionId);
      const outcome = processed ? "processed" : "released";
      const dispute = await settle(tx, { transactionId, outcome, ...signature });
      const data = viewDispute(payment, dispute);
      const whose = processed
        ? `The card's bank has it, ${data.covered} of it from the merchant and the rest from us.`
        : `The merchant has ${data.covered} back.`;
      return {
        data,
        text: `The chargeback of ${data.amount} ${data.currency} is ${outcome}.\n${whose}`,
      };
    }),
});
