/** Ends a chargeback: the bank has the money, or the merchant has it (Decisions 0030, 0031). */

import { settleChargeback as settle } from "../../transactions/dispute.ts";
import { defineAction } from "../command.ts";
import { switchOption, transactionIdField } from "../fields.ts";
import { disputed } from "./moved-money.ts";
import { actOnDispute, type viewDispute } from "./payment.ts";

export const settleChargeback = defineAction({
  name: "settle-chargeback",
  right: "disputes",
  moves: (tx, input) => disputed(tx, input.transaction_id),
  about: "end a chargeback: the bank has the money, or the merchant",
  more:
    "Processed is the end: nothing more of the payment can be refunded or disputed. What the " +
    "merchant could not cover of it is our loss.",
  fields: {
    transaction_id: transactionIdField,
    processed: switchOption("The bank of the card has the money, for good."),
    released: switchOption("The merchant has it back, and all is as before."),
  },
  subject: "transaction_id",
  exactlyOne: ["processed", "released"],
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --released",
    shows: "The chargeback of 40.00 TTD is released.\nThe merchant has 40.00 TTD back.",
    entry: 9,
  },
  run(_ctx, { transaction_id: transactionId, processed }, act) {
    const outcome = processed ? "processed" : "released";
    return actOnDispute(act, transactionId, {
      work: (tx, action) => settle(tx, { ...action, outcome }),
      text: (dispute) =>
        `The chargeback of ${dispute.amount} ${dispute.currency} is ${outcome}.\n` +
        (processed
          ? whoPays(dispute)
          : `The merchant has ${dispute.covered} ${dispute.currency} back.`),
    });
  },
});

function whoPays({ amount, covered, currency }: ReturnType<typeof viewDispute>): string {
  if (covered === amount) return "The card's bank has it, all of it from the merchant.";
  return `The card's bank has it, ${covered} ${currency} from the merchant, the rest from us.`;
}
