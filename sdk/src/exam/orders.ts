/** The shop's own orders, as they are typed: `order-1:100.00,order-2:25.00`. One for each case. */

import { WrongUsage } from "../tool/tool-error.ts";

export interface ExamOrder {
  readonly id: string;
  /** What the shop asks for, with two decimals. */
  readonly total: string;
}

const ORDER = /^(?![_-])([A-Za-z0-9_-]{1,64})(?<![_-]):(\d{1,9}\.\d{2})$/;
const EXAMPLE = "Write them like order-1:100.00,order-2:25.00, with two decimals.";

/** As many as there are cases; more are left alone. */
export function readOrders(text: string, count: number): ExamOrder[] {
  const orders = text
    .split(/[\s,]+/)
    .filter((each) => each !== "")
    .map(readOrder);
  const ids = orders.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw new WrongUsage(`Order ${twice} is there twice.`, "Every case needs an order of its own.");
  if (orders.length < count)
    throw new WrongUsage(
      `The exam needs ${count} orders, and --orders has ${orders.length}.`,
      `Open ${count} orders in your shop, pay none of them, and name all in --orders. ${EXAMPLE}`,
    );
  return orders.slice(0, count);
}

function readOrder(typed: string): ExamOrder {
  const [, id, total] = ORDER.exec(typed) ?? [];
  if (id === undefined || total === undefined || /^0+\.00$/.test(total))
    throw new WrongUsage(`${typed} is not an order with its total.`, EXAMPLE);
  return { id, total };
}

/** A tenth of it, at least a cent: what somebody would rather pay. */
export function cheaperThan(total: string): string {
  const cents = BigInt(total.replace(".", "")) / 10n || 1n;
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
