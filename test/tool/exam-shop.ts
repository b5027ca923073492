/**
 * A shop as a function, which the exam examines as it examines real ones: correct, but for the
 * rules that a test gives it.
 */

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { madeUpPayment } from "../../sdk/src/exam/payment.ts";
import { CASES, type Exam, type ExamResult, runExam } from "../../sdk/src/exam/run-exam.ts";
import type { OrderReport, Shop } from "../../sdk/src/exam/shop.ts";
import { verifyRedirect } from "../../sdk/src/verify/verify-redirect.ts";
import { verifyWebhook } from "../../sdk/src/verify/verify-webhook.ts";

const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3Qh";
export const KEYS = { signingSecret: "sandbox-signing-secret", hashKey: "123" };
const ACCOUNT = { accountNumber: "1234567890", countryCode: "TT" };
export const TOTAL = "100.00";
export const YEAR_SECONDS = 31_536_000;
const MOMENT_MS = 60;

interface Order {
  readonly transactionId: string;
  state: OrderReport["state"];
  shipped: number;
  sequence: number;
}

interface WebhookEvent {
  readonly event: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

type Delivered = Parameters<Shop["deliver"]>[0];

function pay(order: Order): void | Promise<void> {
  if (order.state === "unpaid") Object.assign(order, { state: "paid", shipped: 1 });
}

/** Between the look and the shipment others come, too. */
export async function payAMomentLater(order: Order): Promise<void> {
  if (order.state !== "unpaid") return;
  await pause(MOMENT_MS);
  Object.assign(order, { state: "paid", shipped: order.shipped + 1 });
}

const STATES: Readonly<Record<string, Order["state"]>> = {
  "payment.refunded": "refunded",
  "payment.chargeback_pending": "disputed",
};

export const signedBy = async (
  query: URLSearchParams,
  transactionId?: string,
): Promise<boolean> => {
  const checks = {
    signingSecret: KEYS.signingSecret,
    transactionId: transactionId ?? query.get("transaction_id") ?? "",
  };
  return (await verifyRedirect(`http://shop/paid?${query}`, checks)).status === "success";
};

export const checked = async ({ body, headers }: Delivered, toleranceSeconds = 300) =>
  (await verifyWebhook(body, headers, SECRET, { toleranceSeconds })).event as WebhookEvent;

/** What a correct shop does. */
export const RIGHT = {
  isPaid: (query: URLSearchParams, order: Order) => signedBy(query, order.transactionId),
  onPaid: pay,
  read: (delivery: Delivered) => checked(delivery),
  handle(order: Order, { event, sequence, data }: WebhookEvent): void | Promise<void> {
    if (data.transaction_id !== order.transactionId) return;
    if (event === "payment.success") return pay(order);
    if (sequence > order.sequence) Object.assign(order, { state: STATES[event], sequence });
  },
  /** How long it takes to answer a webhook, and how long after that its work is done. */
  webhookMs: 1,
  workMs: 0,
  refusal: 400,
};

export type Rules = typeof RIGHT;
async function unlessThrown(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

function openShop(rules: Rules, orders: ReadonlyMap<string, Order>): Shop {
  const refused = { status: 400, ms: 1 };
  const refusedWebhook = { status: rules.refusal, ms: 1 };
  const orderOf = (id: unknown) => orders.get(String(id)) ?? assert.fail(`no order ${id}`);
  return {
    hasReport: true,
    async expectOpen() {},
    async sendResult(pairs) {
      const query = new URLSearchParams(
        pairs.map(([name, value]): [string, string] => [name, value]),
      );
      const order = orderOf(query.get("order_id"));
      const isPaid = await rules.isPaid(query, order).catch(() => undefined);
      if (isPaid === undefined) return refused;
      const done = await unlessThrown(async () => isPaid && rules.onPaid(order));
      return done ? { status: 200, ms: 1 } : refused;
    },
    async deliver(delivery) {
      const event = await rules.read(delivery).catch(() => undefined);
      if (event === undefined) return refusedWebhook;
      const work = () => rules.handle(orderOf(event.data.order_id), event);
      if (rules.workMs > 0) setTimeout(work, rules.workMs);
      else if (!(await unlessThrown(work))) return refused;
      return { status: 204, ms: rules.webhookMs };
    },
    async report(id) {
      const { state, shipped } = orderOf(id);
      return { state, shipped };
    },
  };
}

export function examine(rules: Rules): Promise<ExamResult> {
  const assignments = CASES.map((_, at) => {
    const order = { id: `order-${at + 1}`, total: TOTAL };
    const { record } = madeUpPayment(order, ACCOUNT);
    return { order, payment: { isKnown: true, record } };
  });
  const orders = new Map<string, Order>(
    assignments.map(({ order, payment }) => {
      const transactionId: string = payment.record.transaction_id;
      return [order.id, { transactionId, state: "unpaid", shipped: 0, sequence: 0 }];
    }),
  );
  const own = { account: ACCOUNT, keys: KEYS, secret: SECRET, url: "http://localhost:3000" };
  const exam: Exam = { shop: openShop(rules, orders), ...own, assignments };
  return runExam(exam, () => {});
}
