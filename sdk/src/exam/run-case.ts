/** Runs one case: sends what it says, and looks at what became of the order. */

import { setTimeout as pause } from "node:timers/promises";
import type { ExamCase, Examiner, Expectation, Signing } from "./exam-case.ts";
import type { Sent } from "./judge.ts";
import type { ExamOrder } from "./orders.ts";
import type { Account, Assignment, Payment } from "./payment.ts";
import type { PaymentKeys } from "./result.ts";
import type { Answer, OrderReport, Shop } from "./shop.ts";
import { reportOf, type Watch, watchOrder } from "./watch-order.ts";
import {
  bare,
  type Delivery,
  emptySigned,
  nextSequence,
  signed,
  unsigned,
  type Webhook,
  webhookOf,
} from "./webhook.ts";

/** Clocks may differ by five minutes; this is older beyond doubt. */
const OLD_MS = 3_600_000;
const ANOTHER_SECRET = "whsec_c29tZWJvZHktZWxzZXMtd2ViaG9vay1zZWNyZXQ=";

export interface Surroundings {
  readonly shop: Shop;
  readonly account: Account;
  readonly keys: PaymentKeys;
  readonly secret: string;
  readonly paidBefore: Payment;
  readonly patienceMs: number;
  /** What a shop does too much it may do a moment later. */
  readonly settleMs: number;
  readonly onLong: () => void;
}

export interface Observed extends Assignment {
  readonly examCase: ExamCase;
  readonly expected: Expectation;
  readonly sent: readonly Sent[];
  /** Undefined without a report. */
  readonly report: OrderReport | undefined;
  readonly seconds: number;
  /** How long after its answers the shop reported what is right; 0 if it never did. */
  readonly workMs: number;
}

export async function runCase(
  exam: Surroundings,
  examCase: ExamCase,
  { order, payment }: Assignment,
): Promise<Observed> {
  const sent: Sent[] = [];
  const began = performance.now();
  const shippedRight = [...examCase.expected.shipped];
  const watch = watchOrder(exam.shop, order, exam.onLong);
  await examCase.run(examinerOf(exam, { payment, sent, shippedRight, watch }));
  const seconds = (performance.now() - began) / 1000;
  const expected = { ...examCase.expected, shipped: shippedRight };
  const isRight = ({ state, shipped }: OrderReport) =>
    state === expected.state && expected.shipped.includes(shipped);
  const isTooMuch = ({ shipped }: OrderReport) => shipped > Math.max(...expected.shipped);
  const { report, workMs } = await finalReport(exam, { order, watch }, { isRight, isTooMuch });
  return { examCase, order, payment, expected, sent, report, seconds, workMs };
}

interface CaseRun {
  readonly payment: Payment;
  readonly sent: Sent[];
  readonly shippedRight: number[];
  readonly watch: Watch;
}

function examinerOf(exam: Surroundings, run: CaseRun): Examiner {
  const { payment, sent, shippedRight, watch } = run;
  const { shop, keys, account, paidBefore, patienceMs } = exam;
  return {
    payment,
    keys,
    paidBefore,
    sendResult: (pairs) => kept(sent, "result", shop.sendResult(pairs)),
    deliver: (webhook, signing = "signed") =>
      kept(sent, signing, shop.deliver(deliveryOf(webhook, signing, exam.secret), patienceMs)),
    webhook: (event, record, sequence = nextSequence()) =>
      webhookOf(event, record, { accountNumber: account.accountNumber, sequence }),
    allowShipped: (count) => void shippedRight.push(count),
    async waitFor(wanted) {
      await watch(({ state }) => state === wanted);
    },
  };
}

function deliveryOf(webhook: Webhook, signing: Signing, secret: string): Delivery {
  if (signing === "unsigned") return unsigned(webhook);
  if (signing === "empty") return emptySigned(webhook);
  if (signing === "bare") return bare(webhook);
  if (signing === "forged") return signed(webhook, ANOTHER_SECRET);
  return signed(webhook, secret, new Date(Date.now() - (signing === "old" ? OLD_MS : 0)));
}

/** The report when it is right or long enough has gone by, and how long it took to be right. */
async function finalReport(
  { shop, settleMs }: Surroundings,
  { order, watch }: { order: ExamOrder; watch: Watch },
  { isRight, isTooMuch }: Record<"isRight" | "isTooMuch", (one: OrderReport) => boolean>,
): Promise<{ report: OrderReport | undefined; workMs: number }> {
  const began = performance.now();
  const first = await watch((one) => isRight(one) || isTooMuch(one));
  if (first === undefined) return { report: undefined, workMs: 0 };
  const workMs = isRight(first) ? performance.now() - began : 0;
  await pause(settleMs);
  return { report: await reportOf(shop, order), workMs };
}

/** In the order of sending, whenever the answer comes. */
async function kept(sent: Sent[], kind: Sent["kind"], asked: Promise<Answer>): Promise<Answer> {
  const at = sent.length;
  sent.length += 1;
  const answer = await asked;
  sent[at] = { kind, answer };
  return answer;
}
