/** Sets what an account pays for its payments, from a moment on (Decision 0129). */

import { OperatorError } from "../../../kit/errors.ts";
import { amount } from "../../../kit/fields/amount.ts";
import { optional } from "../../../kit/fields/field.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { insertOwnFees } from "../../accounts/own-terms.ts";
import { feeTermsOf } from "../../platforms/fees.ts";
import {
  OWN_FIXED_CENTS_MAX,
  OWN_PERCENTAGE_MAX,
  type OwnFees,
} from "../../platforms/own-terms.ts";
import { defineAction } from "../command.ts";
import { accountNumberField, option, switchOption } from "../fields.ts";
import { plain } from "../render.ts";
import { actOnAccount } from "./account.ts";
import { describePercentage } from "./own-terms-table.ts";
import { demandBusiness, demandSomethingLeft, fromOption, termsFrom } from "./terms-from.ts";

export const setFees = defineAction({
  name: "set-fees",
  right: "money",
  about: "set what an account pays for its payments, from a date on",
  more:
    "In both its currencies. The tax on the percentage part stays the platform's. What was " +
    "requested before keeps its fee. Set again for the same moment, the last ones count.",
  fields: {
    account_number: accountNumberField,
    // Hundredths of a percent are read as cents are.
    percentage: optional(option(amount(), "percent", "Of the amount, as 2.75; 20 at most.")),
    fixed: optional(
      option(amount(), "amount", "In US dollars, charged in the payment's currency."),
    ),
    from: fromOption,
    standard: switchOption("The platform's fees again, in place of both."),
  },
  subject: "account_number",
  example: {
    given: "1234567890 --percentage 2.75 --fixed 0.20",
    shows:
      "Account 1234567890: the fee of a payment is 2.75 % and 0.20 USD\n" +
      "from 2026-11-15 06:32:04Z on.",
    entry: 6,
  },
  run: (_ctx, { account_number: accountNumber, from: typed, ...given }, act) =>
    actOnAccount(act, accountNumber, async (tx, account) => {
      demandBusiness(account);
      const own = ownFees(given);
      const from = await termsFrom(tx, typed);
      await insertOwnFees(tx, accountNumber, from, own);
      await demandSomethingLeft(tx, account, from);
      const { percentage, fixed } = feeTermsOf(account.country_code, from, { fees: own });
      const data = {
        percentage: describePercentage(percentage),
        fixed: formatMoney(fixed),
        standard: given.standard,
        from: from.toISOString(),
      };
      return {
        action: "fees_set",
        detail: data,
        data,
        text:
          `Account ${accountNumber}: the fee of a payment is ${data.percentage} % and ` +
          `${data.fixed} USD\nfrom ${plain(from)} on.`,
      };
    }),
});

/** Undefined: the platform's. */
function ownFees({
  percentage,
  fixed: fixedCents,
  standard,
}: {
  readonly percentage: bigint | undefined;
  readonly fixed: bigint | undefined;
  readonly standard: boolean;
}): OwnFees | undefined {
  if (standard && percentage === undefined && fixedCents === undefined) return undefined;
  if (standard || percentage === undefined || fixedCents === undefined)
    throw new OperatorError("Give the percentage and the fixed part; or standard, and neither.");
  if (percentage > OWN_PERCENTAGE_MAX || fixedCents > OWN_FIXED_CENTS_MAX)
    throw new OperatorError(
      `A fee is at most ${describePercentage(OWN_PERCENTAGE_MAX)} % and ` +
        `${formatMoney(money("USD", OWN_FIXED_CENTS_MAX))} USD.`,
    );
  return { percentage, fixedCents };
}
