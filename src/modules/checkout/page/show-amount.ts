import { formatMoney, type Money } from "../../../kit/money.ts";

const NO_BREAK = "\u00a0";

/** For people: `TTD 12,345.60`, on one line. */
export function showAmount(amount: Money): string {
  const grouped = formatMoney(amount).replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
  return `${amount.currency}${NO_BREAK}${grouped}`;
}
