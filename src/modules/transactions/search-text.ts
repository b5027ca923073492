/**
 * What a text in the search box may be, by its shape (Decision 0088): an order, a payment's id, an
 * e-mail, the last four digits of a card, an amount. One text may be several of them: `1111` is a
 * card, an order and an amount.
 */

import { TRANSACTION_ID } from "../../kit/ids.ts";
import { CURRENCIES, type Currency, parseMinor } from "../../kit/money.ts";
import { ORDER_ID, ORDER_ID_LENGTH_MAX } from "./history-filter.ts";

const TEXT_LENGTH_MAX = 254;
/** Fewer characters begin too many e-mails and orders to be of use. */
const PREFIX_LENGTH_MIN = 3;
const EMAIL_PART = /^[^\s\p{Cc}]+$/u;
const LAST_FOUR = /^(?:[x*•.]{1,4} ?)?(\d{4})$/i;
const UNITS = /\d{1,3}(?:,\d{3})+|\d{1,12}/.source;
const AMOUNT = new RegExp(
  `^(?<before>[A-Z]{3})? ?\\$?(?<units>${UNITS})(?<cents>\\.\\d{1,2})? ?(?<after>[A-Z]{3})?$`,
  "i",
);

export interface SearchTerms {
  readonly transactionId?: string;
  /** An order exactly. */
  readonly orderId?: string;
  readonly orderPrefix?: string;
  /** In small letters. */
  readonly email?: string;
  readonly emailPrefix?: string;
  readonly lastFour?: string;
  readonly amount?: { readonly minor: bigint; readonly currency: Currency | undefined };
}

/** Undefined when there is nothing to search for; without any term nothing can be found. */
export function readSearchText(typed: string): SearchTerms | undefined {
  const text = typed.trim().replace(/\s+/g, " ");
  if (text === "") return undefined;
  if (text.length > TEXT_LENGTH_MAX) return {};
  return { ...asId(text), ...asOrder(text), ...asEmail(text), ...asCard(text), ...asAmount(text) };
}

function asId(text: string): SearchTerms {
  const id = text.toUpperCase();
  return TRANSACTION_ID.test(id) ? { transactionId: id } : {};
}

function asOrder(text: string): SearchTerms {
  const id = text.replace(/^#/, "");
  if (id.length > ORDER_ID_LENGTH_MAX) return {};
  const exact = ORDER_ID.test(id) ? { orderId: id } : {};
  // What is typed of an order may end where an order does not.
  const isPart = id.length >= PREFIX_LENGTH_MIN && ORDER_ID.test(`${id}0`);
  return isPart ? { ...exact, orderPrefix: id } : exact;
}

function asEmail(text: string): SearchTerms {
  if (!EMAIL_PART.test(text)) return {};
  const email = text.toLowerCase();
  const exact = /^[^@]+@[^@]+$/.test(email) ? { email } : {};
  const isPart = email.length >= PREFIX_LENGTH_MIN && !email.startsWith("@");
  return isPart ? { ...exact, emailPrefix: email } : exact;
}

function asCard(text: string): SearchTerms {
  const lastFour = LAST_FOUR.exec(text)?.[1];
  return lastFour === undefined ? {} : { lastFour };
}

function asAmount(text: string): SearchTerms {
  const parts = AMOUNT.exec(text)?.groups;
  if (parts === undefined) return {};
  const { before, after, units = "", cents = "" } = parts;
  const minor = parseMinor(units.replaceAll(",", "") + cents);
  const named = before ?? after;
  if (minor === undefined || (before !== undefined && after !== undefined)) return {};
  const currency = CURRENCIES.find((one) => one === named?.toUpperCase());
  if (named !== undefined && currency === undefined) return {};
  return { amount: { minor, currency } };
}
