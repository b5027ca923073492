/** Records that the bank of a card wants the money back (Decisions 0030 and 0031). */

import { FieldRefused } from "../../../kit/errors.ts";
import { amount } from "../../../kit/fields/amount.ts";
import { optional } from "../../../kit/fields/field.ts";
import { day } from "../../../kit/fields/time.ts";
import { money } from "../../../kit/money.ts";
import { openChargeback as open } from "../../transactions/dispute.ts";
import { defineAction } from "../command.ts";
import { option, transactionIdField } from "../fields.ts";
import { leftToMove } from "./moved-money.ts";
import { actOnDispute } from "./payment.ts";

export const openChargeback = defineAction({
  name: "open-chargeback",
  right: "disputes",
  moves: (tx, input) => leftToMove(tx, input.transaction_id, input.amount),
  about: "note that a card's bank wants the money back, and hold it",
  more:
    "The disputed amount is held from the merchant, as far as there is money, and no refund is " +
    "taken until settle-chargeback.",
  fields: {
    transaction_id: transactionIdField,
    amount: optional(
      option(amount(), "amount", "In the payment's currency; all that is left if absent."),
    ),
    answer_by: optional(
      option(day(), "day", "By which the card's bank wants an answer, as its notice says."),
    ),
  },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --amount 40.00",
    shows: `A chargeback of 40.00 TTD is open on TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD.
40.00 TTD of it are held from the merchant.`,
    entry: 8,
  },
  async run(_ctx, { transaction_id: transactionId, amount: minor, answer_by }, act) {
    if (minor === 0n) throw new FieldRefused("The --amount must be greater than 0.");
    return actOnDispute(act, transactionId, {
      work: (tx, action, { currency }) =>
        open(tx, {
          ...action,
          answerBy: answer_by,
          ...(minor && { amount: money(currency, minor) }),
        }),
      text: (dispute) =>
        `A chargeback of ${dispute.amount} ${dispute.currency} is open on ${transactionId}.\n` +
        `${dispute.covered} ${dispute.currency} of it are held from the merchant.`,
    });
  },
});
