/**
 * Runs the cases: the slow receiver alone, then all others side by side, each with its own order.
 * A shop that was slow is not waited for that long again, so an exam usually takes less than half a
 * minute.
 */

import type { ExamCase } from "./exam-case.ts";
import { type Grade, gradeOf } from "./grade.ts";
import {
  judge,
  type OtherReason,
  QUICK_MS_MAX,
  type Refusals,
  refusalsIn,
  type Verdict,
} from "./judge.ts";
import type { Account, Assignment } from "./payment.ts";
import type { PaymentKeys } from "./result.ts";
import { RESULT_CASES } from "./result-cases.ts";
import { type Observed, runCase } from "./run-case.ts";
import type { Shop } from "./shop.ts";
import { SLOW_CASE, WEBHOOK_CASES } from "./webhook-cases.ts";

export const CASES: readonly ExamCase[] = [...RESULT_CASES, ...WEBHOOK_CASES, SLOW_CASE];

/** The service gives up after 15 seconds; a little more tells "late" from "just in time". */
const PATIENCE_MS = 16_000;
const PATIENCE_MS_IF_SLOW = 3_000;
const SETTLE_MS = 700;

export interface Exam {
  readonly shop: Shop;
  readonly account: Account;
  readonly keys: PaymentKeys;
  readonly secret: string;
  /** One for each case, in the order of `CASES`. */
  readonly assignments: readonly Assignment[];
  /** Of the service, whose site says how to mend what is wrong. */
  readonly url: string;
}

export interface CaseResult {
  readonly case: string;
  readonly title: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly sent: string;
  readonly correct: string;
  readonly did: string;
  readonly verdict: Verdict;
  /** Of a failed case. */
  readonly mend?: string;
  readonly seconds: number;
}

export interface ExamResult {
  readonly grade: Grade;
  readonly passed: number;
  readonly failed: number;
  readonly unseen: number;
  /** Also those that are signed with the secret: probably it is not the shop's. */
  readonly refuses_every_webhook: boolean;
  /** Also genuine ones: probably it looks for the order in the customer's session. */
  readonly refuses_every_result: boolean;
  /** No order was moved by anything: probably it asks the service about each payment. */
  readonly believes_nothing: boolean;
  readonly cases: readonly CaseResult[];
}

/** `tell` gets a line about how far it is, now and then. */
export async function runExam(exam: Exam, tell: (line: string) => void): Promise<ExamResult> {
  const run = async (each: ExamCase, times: { patienceMs: number; settleMs: number }) => {
    const onLong = () => tell(`${each.title}: waiting for the report of the order`);
    const { payment: paidBefore } = assignmentOf(exam, SLOW_CASE);
    const surroundings = { ...exam, ...times, paidBefore, onLong };
    const observed = await runCase(surroundings, each, assignmentOf(exam, each));
    tell(`${each.title}: done`);
    return observed;
  };
  const slow = await run(SLOW_CASE, { patienceMs: PATIENCE_MS, settleMs: SETTLE_MS });
  const isKnownSlow = slow.seconds * 1000 > QUICK_MS_MAX;
  const patienceMs = isKnownSlow ? PATIENCE_MS_IF_SLOW : PATIENCE_MS;
  // Who does right things late may do wrong ones as late.
  const settleMs = Math.max(SETTLE_MS, 1.5 * slow.workMs);
  const observed = await Promise.all(
    CASES.map((each) => (each === SLOW_CASE ? slow : run(each, { patienceMs, settleMs }))),
  );
  const refuses = refusalsIn(observed);
  const judged = observed.map((one) =>
    resultOf(one, { isKnownSlow: isKnownSlow && one !== slow, refuses, url: exam.url }),
  );
  const cases = judged.map(({ result }) => result);
  const count = (wanted: Verdict) => cases.filter(({ verdict }) => verdict === wanted).length;
  const grade = gradeOf(
    judged.map(({ result: { verdict }, losesGoods }) => ({ verdict, losesGoods })),
    refuses.everything,
  );
  return {
    ...{ grade, passed: count("passed"), failed: count("failed"), unseen: count("unseen") },
    refuses_every_webhook: refuses.everyWebhook,
    refuses_every_result: refuses.everyResult,
    believes_nothing: refuses.everything,
    cases,
  };
}

function assignmentOf({ assignments }: Exam, examCase: ExamCase): Assignment {
  const found = assignments[CASES.indexOf(examCase)];
  if (found === undefined) throw new RangeError("a case without an order");
  return found;
}

function resultOf(
  { examCase, order, payment, expected, sent, report, seconds }: Observed,
  known: { readonly isKnownSlow: boolean; readonly refuses: Refusals; readonly url: string },
): { readonly result: CaseResult; readonly losesGoods: boolean } {
  const { verdict, did, because } = judge(expected, { sent, report, ...known });
  const { name, title, sent: what, correct } = examCase;
  const { mend, guide } = because === undefined ? examCase : OTHER_MENDS[because];
  const { transaction_id } = payment.record;
  const result = {
    ...{ case: name, title, order_id: order.id, transaction_id },
    ...{ sent: what, correct, did, verdict },
    ...(verdict === "failed" ? { mend: `${mend} ${known.url}${guide}` } : {}),
    seconds: Math.round(seconds * 1000) / 1000,
  };
  return { result, losesGoods: examCase.losesGoods === true && because === undefined };
}

const OTHER_MENDS: Readonly<Record<OtherReason, Pick<ExamCase, "mend" | "guide">>> = {
  crashes: {
    mend: "Answer 400 to what does not verify: a crash is no refusal, and is sent again.",
    guide: "/docs/webhooks#verify-the-signature",
  },
  refuses_results: {
    mend: "Take a genuine result without session and cookies: find the order by its order_id.",
    guide: "/docs/start#3-check-the-result",
  },
};
