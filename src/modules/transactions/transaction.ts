/**
 * Transactions: the record that every payment hangs on (Interface §2.6, §4.5, Decision 0026).
 *
 * What was agreed when it began never changes, the result is written once, and only the listed
 * moves happen; the database refuses everything else by a constraint that says why. `ledger` moves
 * the money, in the tx that writes the result. Refunds and disputes move `status_desc`.
 */

import { columns, json, nullable, omit, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { CURRENCIES, formatMoney, money } from "../../kit/money.ts";
import {
  amountSchema,
  orNull,
  textSchema,
  timestampSchema,
  transactionIdSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { viewOf } from "../../kit/view-of.ts";
import { COUNTRY_CODES, ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { AVS_ANSWERS, CVV_ANSWERS } from "../gateway/port.ts";
import { FEE_STRUCTURES } from "../platforms/fee-quote.ts";
import { ORDER_VIEW } from "./order-fields.ts";
import { type OrderItem, viewItems } from "./order-items.ts";
import { eachDetail } from "./payment-details.ts";

export const STATUSES = ["incomplete", "success", "failed", "error"] as const;

export type TransactionStatus = (typeof STATUSES)[number];

/** The same table as `transaction_may_move` in the database, which is the one that decides. */
export const NEXT_STATUS_DESC = {
  Normal: ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Refund Requested": ["Refunded", "Refund Rejected", "Chargeback Pending", "Fraud Confirmed"],
  Refunded: ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Refund Rejected": ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Chargeback Pending": [
    "Chargeback Processed",
    "Normal",
    "Refund Requested",
    "Refunded",
    "Refund Rejected",
    "Fraud Confirmed",
  ],
  "Chargeback Processed": [],
  "Fraud Confirmed": [],
} as const satisfies Record<string, readonly string[]>;

export type StatusDesc = keyof typeof NEXT_STATUS_DESC;

/** An example of the customer's details, under the names of the payment request. */
const CUSTOMER_EXAMPLE = {
  email: "customer@example.com",
  fname: "Anika",
  lname: "Mohammed",
  addr1: "1 Ariapita Avenue",
  addr2: "Woodbrook",
  city: "Port of Spain",
  state: "TT-POS",
  zipcode: "170516",
  country: "TT",
  phone: "+18686221234",
} as const;

type CustomerField = keyof typeof CUSTOMER_EXAMPLE;

export const CUSTOMER_FIELDS = Object.keys(CUSTOMER_EXAMPLE) as CustomerField[];

export type Customer = Readonly<Partial<Record<CustomerField, string>>>;

export const TRANSACTION = {
  ...omit(
    tables.transactions,
    "refund_pending_minor",
    "disputed_minor",
    "sale_reference",
    "result_email",
  ),
  customer: json<Customer>(),
  items: nullable(json<readonly OrderItem[]>()),
};

export type TransactionRow = Row<typeof TRANSACTION>;

export const TRANSACTION_COLUMNS = columns(TRANSACTION);

const customerView = Type.Object(
  Object.fromEntries(
    Object.entries(CUSTOMER_EXAMPLE).map(([name, example]) => [
      name,
      Type.Optional(textSchema("As it was sent.", example)),
    ]),
  ),
  {
    description: "What is known of who pays, under the names of the payment request.",
    examples: [{ email: CUSTOMER_EXAMPLE.email, fname: "Anika", lname: "Mohammed" }],
  },
);

const AVS_ABOUT =
  "The billing address: `M` street and postal code match, `A` only the street, `Z` only the " +
  "postal code, `N` neither, `G` the bank takes no part.";
const CVV_ABOUT = "The security code: `M` it matches, `N` it does not.";

const transactionFields = {
  transaction_id: transactionIdSchema("Of the payment, from the request on; `SB-` in the sandbox."),
  order_id: textSchema("Your order.", "order-1"),
  environment: wordSchema(ENVIRONMENTS, "Where it was made.", "sandbox"),
  country_code: wordSchema(COUNTRY_CODES, "The platform.", "TT"),
  currency: wordSchema(CURRENCIES, "Of every amount here.", "TTD"),
  total: amountSchema("What was asked for.", "100.00"),
  customer_total: amountSchema("What the customer pays.", "105.20"),
  fee: amountSchema("What the payment costs.", "5.20"),
  net: amountSchema("What the merchant gets.", "100.00"),
  fee_structure: wordSchema(FEE_STRUCTURES, "Who pays the fee.", "customer_pay"),
  method: textSchema("The page that was asked for.", "credit_card_co"),
  origin: orNull(textSchema("The application that asked.", "my-shop")),
  status: wordSchema(STATUSES, "What became of it; `incomplete` until that is known.", "success"),
  status_desc: wordSchema(Object.keys(NEXT_STATUS_DESC), "What became of it since.", "Normal"),
  message: orNull(
    textSchema(
      "The result in words; null until there is one.",
      "[1-R00]: Transaction is approved.",
    ),
  ),
  card: orNull(textSchema("The card's network and its last four digits.", "visa **** 1111")),
  checks: Type.Object(
    {
      avs: orNull(wordSchema(AVS_ANSWERS, AVS_ABOUT, "M")),
      cvv: orNull(wordSchema(CVV_ANSWERS, CVV_ABOUT, "M")),
    },
    { description: "What the card's bank compared; null where it did not." },
  ),
  customer: customerView,
  ...eachDetail((_, { about, example }) => textSchema(about, example)),
  ...ORDER_VIEW,
  payment_link: orNull(uuidSchema("The payment link it was asked for by."), null),
  link_reference: orNull(
    textSchema("What the customer typed for the link's `reference_label`.", "Table 7"),
    null,
  ),
  refunded_total: amountSchema("Given back so far.", "0.00"),
  created_at: timestampSchema("When it was asked for."),
  finalised_at: orNull(timestampSchema("When there was a result.", "2026-11-15T14:04:11.090Z")),
};

export const transactionView = Type.Object(transactionFields, { title: "Transaction" });

export const viewTransaction = viewOf(transactionFields, (row: TransactionRow) => {
  const shown = (minor: bigint) => formatMoney(money(row.currency, minor));
  return {
    total: shown(row.total_minor),
    customer_total: shown(row.customer_total_minor),
    fee: shown(row.fee_minor),
    net: shown(row.net_minor),
    card: row.card_brand === null ? null : `${row.card_brand} **** ${row.card_last_four}`,
    checks: { avs: row.avs_answer, cvv: row.cvv_answer },
    items: row.items && viewItems(row.items, row.currency),
    refunded_total: shown(row.refunded_minor),
  };
});

/** The environment of a record whose id names one itself. */
export const environmentOfId = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: the one that the id names, as far as the credential reaches.",
  "sandbox",
);
