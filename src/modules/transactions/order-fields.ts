/**
 * What a payment request may say to the customer about the order: in which language, what it is
 * and what it consists of (Decision 0094). Each is an optional field of the request and a column
 * of `transactions`, both of its name, null where it was not sent; and it is part of the record and
 * its events.
 */

import { FieldsConflict } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { checked, described, optional, type Values } from "../../kit/fields/field.ts";
import { line } from "../../kit/fields/text.ts";
import { CURRENCIES, formatMoney, money } from "../../kit/money.ts";
import { orNull, textSchema, wordSchema } from "../../kit/response-schema.ts";
import { LANGUAGES } from "../../kit/vocabulary.ts";
import { itemsTotal, itemsView, orderItems } from "./order-items.ts";

export const DESCRIPTION_LENGTH_MAX = 255;
const DESCRIPTION_EXAMPLE = "Two paperbacks for Maya";

/** Of the total that was read before, in the currency that was read before. */
const items = checked(orderItems, (value, name, earlier) => {
  const currency = CURRENCIES.find((one) => one === earlier?.currency);
  const total = earlier?.total;
  if (currency === undefined || typeof total !== "bigint") return;
  const sum = itemsTotal(value, currency);
  if (sum.minor === total) return;
  const asked = formatMoney(money(currency, total));
  throw new FieldsConflict(
    `The items must add up to the total: they are ${formatMoney(sum)} and the total is ${asked}.`,
    name,
  );
});

/** An absent one is absent from what was read, so older requests keep their digests. */
export const ORDER_FIELDS = {
  language: described(
    optional(oneOf(LANGUAGES)),
    "Of the payment page and the receipt. Without it, the browser's.",
    "en",
  ),
  description: described(
    optional(withoutCardNumber(line(DESCRIPTION_LENGTH_MAX))),
    "What the customer pays for, in a line: on the payment page and the receipt.",
    DESCRIPTION_EXAMPLE,
  ),
  items: optional(items),
};

export type OrderValues = Partial<Values<typeof ORDER_FIELDS>>;

/** Of the record that is returned. */
export const ORDER_VIEW = {
  language: orNull(wordSchema(LANGUAGES, "As it was sent; null where it was not.", "en")),
  description: orNull(textSchema("As it was sent; null where it was not.", DESCRIPTION_EXAMPLE)),
  items: orNull(itemsView),
};
