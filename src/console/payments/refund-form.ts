/**
 * The form of a refund: in a dialog of the payment's page, and on a page of its own where no
 * scripts run.
 */

import { type Html, html } from "../../kit/html.ts";
import { formatMoney, type Money, money, subtractMoney } from "../../kit/money.ts";
import { isRefundable, leftOf, type PaidRow } from "../../modules/transactions/refund.ts";
import { REASON_LENGTH_MAX } from "../../modules/transactions/refund-routes.ts";
import { moneyField, textField } from "../../parts/field.ts";
import { buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { moneyText } from "../../parts/money.ts";
import { oneTimeField } from "../one-time-form.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { PAYMENTS } from "./payment-filters.ts";

export function refundHref(transactionId: string): string {
  return `${PAYMENTS}/${transactionId}/refund`;
}

/**
 * What this member may still refund; undefined when nothing. `limit`: of all refunds of the
 * payment; undefined: as much as was paid.
 */
export function refundableNow(paid: PaidRow, limit: Money | undefined): Money | undefined {
  if (!isRefundable(paid)) return undefined;
  const left = leftOf(paid);
  const soFar = money(paid.currency, paid.refunded_minor + paid.refund_pending_minor);
  const allowed = limit === undefined ? left : subtractMoney(limit, soFar);
  const most = allowed.minor < left.minor ? allowed : left;
  return most.minor > 0n ? most : undefined;
}

interface RefundFormParts {
  readonly paid: PaidRow;
  readonly most: Money;
  readonly isLimited: boolean;
  /** What was typed, where it was refused. */
  readonly typed?: SentForm;
  readonly refused?: RefusedForm;
}

/** The customer has all of it back, and the fee was taken when it was paid. */
function costWords({ currency, fee_minor }: PaidRow): string {
  if (fee_minor === 0n) return "The fee is not given back.";
  const fee = moneyText(money(currency, fee_minor));
  return `The fee is not given back: a full refund costs you ${fee} in fees.`;
}

/** The button says what it does, and follows the amount (`script.js`). */
export function refundForm(
  visitor: Visitor,
  parts: RefundFormParts,
  where: "dialog" | "page",
): Html {
  const { paid, most, isLimited, typed = {}, refused } = parts;
  const { transaction_id: id, currency } = paid;
  // Without scripts the page's button cannot follow what is typed.
  const said = where === "page" ? "Refund" : `Refund ${moneyText(most).replace("\u00a0", " ")}`;
  const submit = html`<button class="button primary"
 data-amount-text="Refund ${currency}">${said}</button>`;
  const hint = isLimited
    ? `You can refund at most ${moneyText(most)} of this payment.`
    : `At most ${moneyText(most)}. ${costWords(paid)}`;
  return postForm({
    action: refundHref(id),
    csrf: visitor.formToken,
    content: html`${oneTimeField()}
${moneyField({
  name: "amount",
  label: "Amount",
  currency,
  value: typed.amount ?? formatMoney(most),
  hint,
  error: refused?.errorOf("amount"),
  required: true,
})}
${textField({
  name: "reason",
  label: "Reason",
  value: typed.reason ?? "",
  hint: "Optional, for your own records. The customer does not see it.",
  error: refused?.errorOf("reason"),
  maxlength: REASON_LENGTH_MAX,
  autocomplete: "off",
})}
${buttonRow(submit, cancelLink(`${PAYMENTS}/${id}`))}`,
  });
}
