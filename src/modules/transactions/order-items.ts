/**
 * The items of an order: what is bought, how many, and the price of one (Decision 0094).
 *
 * Prices are whole minor units from the request to the database, where a constraint holds that the
 * items add up to the total. A discount is an item with a negative price.
 */

import { parseJson } from "../../infra/http/body/parse-json.ts";
import { FieldRefused, ServiceError } from "../../kit/errors.ts";
import { signedAmount } from "../../kit/fields/amount.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, type Field, field, fieldRefused, isAbsent } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { line } from "../../kit/fields/text.ts";
import { type Currency, formatMoney, type Money, money } from "../../kit/money.ts";
import { countSchema, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";

const ITEMS_MAX = 50;

/** As it is stored. */
export interface OrderItem {
  readonly name: string;
  readonly quantity: number;
  /** A safe integer: it has at most 12 digits. */
  readonly unit_price_minor: number;
}

/** They add up to the total of the examples. */
export const ITEMS_EXAMPLE = [
  { name: "Sea Grape Stories, paperback", quantity: 2, unit_price: "45.00" },
  { name: "Gift wrapping", quantity: 1, unit_price: "15.00" },
  { name: "Voucher", quantity: 1, unit_price: "-5.00" },
] as const;

const FIELDS = {
  name: described(withoutCardNumber(line(100)), "What it is.", ITEMS_EXAMPLE[0].name),
  quantity: described(integer({ min: 1, max: 9_999 }), "How many.", ITEMS_EXAMPLE[0].quantity),
  unit_price: described(
    signedAmount(),
    "The price of one, in the currency of the total; below zero for a discount.",
    ITEMS_EXAMPLE[0].unit_price,
  ),
};
const NAMES = Object.keys(FIELDS);

const LIST_SCHEMA = {
  type: "array",
  minItems: 1,
  maxItems: ITEMS_MAX,
  items: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(FIELDS).map(([name, { schema }]) => [name, schema]),
    ),
    required: NAMES,
    additionalProperties: false,
  },
};

const HINT =
  "Send items as a list of objects with name, quantity and unit_price; in a form and in a signed " +
  "request, as the JSON text of that list.";

/** A list, or the JSON text of one, because a form has no lists and a signature covers texts. */
export const orderItems: Field<readonly OrderItem[]> = described(
  field(
    { oneOf: [LIST_SCHEMA, { type: "string", contentMediaType: "application/json" }] },
    (value, name) => {
      const list = typeof value === "string" ? listIn(value, name) : value;
      if (!Array.isArray(list) || list.length === 0 || list.length > ITEMS_MAX)
        throw fieldRefused(name, `must be a list of 1 to ${ITEMS_MAX} lines`, { hint: HINT });
      return list.map((one, at) => readItem(one, `${at + 1} of the ${name}`));
    },
  ),
  `What is bought, at most ${ITEMS_MAX} lines that add up to the total. In a form, and in a ` +
    "signed request, the JSON text of the list.",
  ITEMS_EXAMPLE,
);

function listIn(text: string, name: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw fieldRefused(name, "must be a list in JSON", { hint: HINT });
  }
}

/** `place` says in sentences which line it is: `2 of the items`. */
function readItem(given: unknown, place: string): OrderItem {
  const item: Readonly<Record<string, unknown>> =
    typeof given === "object" && given !== null ? { ...given } : {};
  if (Object.keys(item).length !== NAMES.length || NAMES.some((name) => isAbsent(item[name])))
    throw new FieldRefused(
      `Line ${place} must have a name, a quantity and a unit_price, and nothing else.`,
      { hint: HINT },
    );
  return {
    name: FIELDS.name.read(item.name, `name in line ${place}`),
    quantity: FIELDS.quantity.read(item.quantity, `quantity in line ${place}`),
    unit_price_minor: Number(
      FIELDS.unit_price.read(item.unit_price, `unit price in line ${place}`),
    ),
  };
}

const wrongItem = (wrong: object) => [{ ...ITEMS_EXAMPLE[0], ...wrong }];

/** One list for each sentence about a line, so that the reference can quote them. */
export const WRONG_ITEMS: readonly unknown[] = [
  wrongItem({ tax: "1.00" }),
  wrongItem({ name: 7 }),
  wrongItem({ name: "x".repeat(101) }),
  wrongItem({ name: "\t" }),
  wrongItem({ name: "4242 4242 4242 4242" }),
  wrongItem({ quantity: 0 }),
  wrongItem({ unit_price: "1.001" }),
  wrongItem({ unit_price: "99999999999.00" }),
];

/** What an item costs, all pieces of it. */
export function itemAmount({ quantity, unit_price_minor }: OrderItem, currency: Currency): Money {
  return money(currency, BigInt(quantity) * BigInt(unit_price_minor));
}

export function itemsTotal(items: readonly OrderItem[], currency: Currency): Money {
  const amounts = items.map((item) => itemAmount(item, currency).minor);
  return money(
    currency,
    amounts.reduce((sum, minor) => sum + minor, 0n),
  );
}

export const itemsView = Type.Array(
  Type.Object({
    name: textSchema("What it is.", ITEMS_EXAMPLE[0].name),
    quantity: countSchema("How many.", ITEMS_EXAMPLE[0].quantity, { minimum: 1 }),
    unit_price: textSchema("The price of one.", ITEMS_EXAMPLE[0].unit_price, {
      pattern: "^-?\\d+\\.\\d{2}$",
    }),
  }),
  { description: "As they were sent; null where none were.", examples: [ITEMS_EXAMPLE] },
);

export function viewItems(items: readonly OrderItem[], currency: Currency) {
  return items.map(({ name, quantity, unit_price_minor }) => ({
    name,
    quantity,
    unit_price: formatMoney(money(currency, BigInt(unit_price_minor))),
  }));
}

/** On one line, for a spreadsheet: `2 × Paperback (45.00); 1 × Voucher (-5.00)`. */
export function itemsText(items: ReturnType<typeof viewItems>): string {
  return items
    .map(({ name, quantity, unit_price }) => `${quantity} × ${name} (${unit_price})`)
    .join("; ");
}
