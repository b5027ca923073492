/** Takes back all that is left of a payment whose card was misused (Decisions 0030 and 0031). */

import { confirmFraud as confirm } from "../../transactions/dispute.ts";
import { defineAction } from "../command.ts";
import { transactionIdField } from "../fields.ts";
import { leftAndDisputed } from "./moved-money.ts";
import { actOnDispute } from "./payment.ts";

export const confirmFraud = defineAction({
  name: "confirm-fraud",
  right: "risk",
  moves: (tx, input) => leftAndDisputed(tx, input.transaction_id),
  about: "take back all that is left of a fraudulent payment",
  more:
    "For good. An open chargeback is processed by it, with an audit entry of its own; it is " +
    "refused while a refund is under way. What the merchant cannot cover is our loss.",
  fields: { transaction_id: transactionIdField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: `Fraud is confirmed on TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD.
105.20 TTD go back, 100.00 TTD of it from the merchant.`,
    entry: 10,
  },
  run: (_ctx, { transaction_id: transactionId }, act) =>
    actOnDispute(act, transactionId, {
      work: confirm,
      text: ({ amount, currency, covered }) =>
        `Fraud is confirmed on ${transactionId}.\n` +
        `${amount} ${currency} go back, ${covered} ${currency} of it from the merchant.`,
    }),
});
