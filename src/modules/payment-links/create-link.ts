/** Makes a payment link: its price is fixed, or the customer chooses within bounds. */

import { randomInt } from "node:crypto";
import { recordAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";
import { fieldRefused } from "../../kit/fields/field.ts";
import { formatMoney, type Money, money } from "../../kit/money.ts";
import { readOwnTerms } from "../accounts/own-terms.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { FieldRules } from "../checkout/request/request-fields.ts";
import { demandPayable } from "../platforms/fee-quote.ts";
import type { OwnTerms } from "../platforms/own-terms.ts";
import { itemsTotal, orderItems, WRONG_ITEMS } from "../transactions/order-items.ts";
import { demandSuccessUrl, type NewLinkValues, ONLY_HTTPS_SUCCESS } from "./link-fields.ts";
import { LINK, LINK_COLUMNS, type LinkRow } from "./payment-link.ts";

const SLUG_LETTERS = "23456789abcdefghjkmnpqrstvwxyz";
const SLUG_LENGTH = 14;

export const BOTH_WAYS = "Send amount, or amount_min and amount_max, not both.";
export const NO_AMOUNT = "Send amount, or amount_min and amount_max.";
const ITEMS_AND_BOUNDS = "The items fix the amount: leave amount_min and amount_max out.";
export const CROSSED = "The amount max must not be less than the amount min.";
/** What is said of fields that do not go together, or not with the environment or the time. */
export const UNFIT_FIELDS = [
  new FieldRefused(NO_AMOUNT, { code: "field_required", field: "amount" }),
  new FieldsConflict(BOTH_WAYS),
  new FieldsConflict(CROSSED),
  missing("amount_min"),
  missing("amount_max"),
  inThePast(),
  ONLY_HTTPS_SUCCESS,
  new FieldsConflict(ITEMS_AND_BOUNDS),
  sumDiffers(money("TTD", 10_000n), money("TTD", 12_000n)),
  ...WRONG_ITEMS.map((items) => () => orderItems.read(items, "items")),
];

export async function createLink(
  tx: Tx,
  caller: Caller,
  values: NewLinkValues,
  rules: FieldRules,
): Promise<LinkRow> {
  await holdCredential(tx, caller, "read");
  const environment = environmentOf(caller, values.environment);
  demandSuccessUrl(rules, environment, values);
  const { minor, min, max } = priceOf(values, await readOwnTerms(tx, caller));
  await demandFuture(tx, values);
  const row = await tx.one(sqlOf(LINK)`
    insert into payment_links (slug, account_number, environment, title, label, currency,
      amount_minor, amount_min_minor, amount_max_minor, description, items, fee_structure,
      max_payments,
      expires_at, reference_label, success_message, success_url, language)
    values (${newSlug()}, ${caller.accountNumber}, ${environment}, ${values.title},
      ${values.label}, ${values.currency}, ${minor}, ${min}, ${max}, ${values.description},
      ${values.items && JSON.stringify(values.items)},
      ${values.fee_structure}, ${values.max_payments}, ${values.expires_at},
      ${values.reference_label}, ${values.success_message}, ${values.success_url},
      ${values.language})
    returning ${LINK_COLUMNS}`);
  await recordAudit(tx, caller, "payment_link_created", { detail: { link_id: row.link_id } });
  return row;
}

interface Price {
  readonly minor?: bigint;
  readonly min?: bigint;
  readonly max?: bigint;
}

function priceOf(values: NewLinkValues, own: OwnTerms): Price {
  const { currency, items, amount_min: min, amount_max: max } = values;
  const hasBounds = min !== undefined || max !== undefined;
  if (items !== undefined && hasBounds) throw new FieldsConflict(ITEMS_AND_BOUNDS, "items");
  const sum = items && itemsTotal(items, currency);
  const { amount = sum?.minor } = values;
  if (amount !== undefined && hasBounds) throw new FieldsConflict(BOTH_WAYS, "amount");
  const demandOwn = (minor: bigint | undefined, field: string) =>
    minor !== undefined && demandPayable(money(currency, minor), field, own);
  demandOwn(values.amount, "amount");
  if (amount !== undefined) return { minor: fixedAmount(money(currency, amount), sum, own) };
  if (!hasBounds) throw new FieldRefused(NO_AMOUNT, { code: "field_required", field: "amount" });
  if (min === undefined) throw missing("amount_min");
  if (max === undefined) throw missing("amount_max");
  demandOwn(min, "amount_min");
  demandOwn(max, "amount_max");
  if (max < min) throw new FieldsConflict(CROSSED, "amount_max");
  return { min, max };
}

function fixedAmount(amount: Money, sum: Money | undefined, own: OwnTerms): bigint {
  if (sum === undefined) return amount.minor;
  if (sum.minor !== amount.minor) throw sumDiffers(sum, amount);
  demandPayable(sum, "items", own);
  return sum.minor;
}

function sumDiffers(sum: Money, amount: Money): FieldsConflict {
  return new FieldsConflict(
    `The items must add up to the amount: they are ${formatMoney(sum)} and the amount is ` +
      `${formatMoney(amount)}.`,
    "items",
  );
}

function missing(name: string): FieldRefused {
  return fieldRefused(name, "field is required", { code: "field_required", field: name });
}

export async function demandFuture(
  tx: Tx,
  { expires_at: end }: { readonly expires_at?: Date | null | undefined },
): Promise<void> {
  if (end instanceof Date && end <= (await now(tx))) throw inThePast();
}

export function inThePast(): FieldRefused {
  return fieldRefused("expires_at", "must be in the future", {
    code: "field_out_of_range",
    field: "expires_at",
  });
}

function newSlug(): string {
  const letter = () => SLUG_LETTERS.charAt(randomInt(SLUG_LETTERS.length));
  return Array.from({ length: SLUG_LENGTH }, letter).join("");
}
