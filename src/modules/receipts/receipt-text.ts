/**
 * The sentences and rows of a receipt in its language, which mail and page both show: so neither
 * says what the other does not.
 */

import { NETWORK_NAMES } from "../../kit/card-network.ts";
import { addMoney, isZero, type Money, money, subtractMoney } from "../../kit/money.ts";
import { longTimeIn, moneyIn } from "../../words/locale.ts";
import { receiptWords } from "../../words/receipt/receipt-words.ts";
import { itemAmount, type OrderItem } from "../transactions/order-items.ts";
import type { Receipt, ReceiptRefund } from "./receipt.ts";

export type ReceiptRow = readonly [label: string, value: string];

export interface ReceiptText {
  readonly title: string;
  /** That it was a test. */
  readonly test: string | undefined;
  readonly lead: string;
  readonly amounts: readonly ReceiptRow[];
  readonly facts: readonly ReceiptRow[];
  /** Of a payment: what was given back, and what is left. */
  readonly refunds: readonly ReceiptRow[];
  readonly contact: { readonly heading: string; readonly rows: readonly ReceiptRow[] } | undefined;
}

export function paymentText(receipt: Receipt): ReceiptText {
  const { business, total } = receipt;
  const t = receiptWords(receipt.language);
  return {
    title: t.title(business.name),
    test: testOf(receipt),
    lead: t.paid(shown(receipt, total), business.name),
    amounts: amountRows(receipt),
    facts: [
      ...optional(t.description, receipt.description),
      ...optional(t.card, cardOf(receipt)),
      [t.date, dateOf(receipt, receipt.paidAt)],
      ...optional(t.order, receipt.orderId),
      [t.reference, receipt.transactionId],
    ],
    refunds: refundRows(receipt),
    contact: contactOf(receipt),
  };
}

export function refundText(receipt: Receipt, refund: ReceiptRefund): ReceiptText {
  const { business, total } = receipt;
  const t = receiptWords(receipt.language);
  const amount = shown(receipt, refund.amount);
  return {
    title: t.refund.title(business.name),
    test: testOf(receipt),
    lead: `${t.refund.told(amount, business.name)} ${t.refund.patience}`,
    amounts: [
      [t.refund.amount, amount],
      [t.refund.payment, shown(receipt, total)],
    ],
    facts: [
      ...optional(t.card, cardOf(receipt)),
      [t.refund.date, dateOf(receipt, refund.at)],
      [t.refund.paidAt, dateOf(receipt, receipt.paidAt)],
      ...optional(t.order, receipt.orderId),
      [t.reference, receipt.transactionId],
    ],
    refunds: [],
    contact: contactOf(receipt),
  };
}

function testOf({ environment, language }: Receipt): string | undefined {
  return environment === "sandbox" ? receiptWords(language).test : undefined;
}

/** The lines, what they come to where a fee is added, and what was paid. */
function amountRows(receipt: Receipt): ReceiptRow[] {
  const { items, price, fee, total } = receipt;
  const t = receiptWords(receipt.language);
  const hasFee = !isZero(fee);
  return [
    ...items.map((item) => itemRow(receipt, item)),
    ...(hasFee ? [row(t.price, shown(receipt, price)), row(t.fee, shown(receipt, fee))] : []),
    [t.total, shown(receipt, total)],
  ];
}

function itemRow(receipt: Receipt, item: OrderItem): ReceiptRow {
  const { currency } = receipt.total;
  const value = shown(receipt, itemAmount(item, currency));
  const { name, quantity } = item;
  if (quantity === 1) return [name, value];
  const each = shown(receipt, itemAmount({ ...item, quantity: 1 }, currency));
  return [receiptWords(receipt.language).line(String(quantity), name, each), value];
}

function refundRows(receipt: Receipt): ReceiptRow[] {
  const { refunds, total } = receipt;
  if (refunds.length === 0) return [];
  const t = receiptWords(receipt.language).refund;
  const back = refunds.map(({ amount }) => amount).reduce(addMoney);
  return [
    ...refunds.map(({ amount, at }) =>
      row(t.on(dateOf(receipt, at)), shown(receipt, money(amount.currency, -amount.minor))),
    ),
    [t.left, shown(receipt, subtractMoney(total, back))],
  ];
}

function contactOf({ business, language }: Receipt): ReceiptText["contact"] {
  const t = receiptWords(language);
  const rows = [
    ...optional(t.email, business.email),
    ...optional(t.phone, business.phone),
    ...optional(t.website, business.website),
  ];
  return rows.length === 0 ? undefined : { heading: t.contact(business.name), rows };
}

function cardOf({ card, language }: Receipt): string | undefined {
  if (card === undefined) return undefined;
  const names: Readonly<Record<string, string>> = NETWORK_NAMES;
  return receiptWords(language).endingIn(names[card.brand] ?? card.brand, card.lastFour);
}

function shown({ language }: Receipt, amount: Money): string {
  return moneyIn(language, amount);
}

function dateOf({ language, timeZone }: Receipt, at: Date): string {
  return longTimeIn(language, at, timeZone);
}

function optional(label: string, value: string | undefined): ReceiptRow[] {
  return value === undefined || value === "" ? [] : [[label, value]];
}

function row(label: string, value: string): ReceiptRow {
  return [label, value];
}
