/** Gives a customer money back on the merchant's behalf (Decisions 0029 and 0120). */

import { FieldRefused } from "../../../kit/errors.ts";
import { amount } from "../../../kit/fields/amount.ts";
import { optional } from "../../../kit/fields/field.ts";
import { line } from "../../../kit/fields/text.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { scrub } from "../../../kit/scrub.ts";
import { refundByOperator } from "../../transactions/request-refund.ts";
import { defineAction } from "../command.ts";
import { option, transactionIdField } from "../fields.ts";
import { leftToMove } from "./moved-money.ts";
import { findPayment } from "./payment.ts";

const TELL_LENGTH_MAX = 200;

export const refundPayment = defineAction({
  name: "refund-payment",
  right: "money",
  moves: (tx, input) => leftToMove(tx, input.transaction_id, input.amount),
  about: "give the customer of a payment money back, from the merchant's funds",
  more:
    "As if the merchant had asked for it: their funds are held at once, the gateway does it, and " +
    "they are told that we did. It is refused while the payment is disputed, and when their " +
    "funds are short.",
  fields: {
    transaction_id: transactionIdField,
    amount: optional(
      option(amount(), "amount", "In the payment's currency; all that is left if absent."),
    ),
    tell: optional(
      option(
        line(TELL_LENGTH_MAX),
        "text",
        "What the merchant reads beside it; nothing if absent.",
      ),
    ),
  },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD --amount 25.00",
    shows: `A refund of 25.00 TTD is requested for TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD.
The gateway is asked to do it: show-payment shows how far it is.`,
    entry: 8,
  },
  async run(ctx, { transaction_id: transactionId, amount: minor, tell }, act) {
    if (minor === 0n) throw new FieldRefused("The --amount must be greater than 0.");
    await findPayment(ctx.db, transactionId);
    const gateways = ctx.gateways();
    return act(async (tx, signature) => {
      const asked = { transactionId, amountMinor: minor, tell: tell && scrub(tell), ...signature };
      const { refund_id, amount_minor, currency } = await refundByOperator({ gateways }, tx, asked);
      const sum = formatMoney(money(currency, amount_minor));
      return {
        data: { transaction_id: transactionId, refund_id, currency, amount: sum },
        text:
          `A refund of ${sum} ${currency} is requested for ${transactionId}.\n` +
          "The gateway is asked to do it: show-payment shows how far it is.",
      };
    });
  },
});
