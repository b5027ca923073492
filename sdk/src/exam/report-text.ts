/** The report of an exam as a person reads it at a terminal. */

import type { Paint } from "../tool/paint.ts";
import type { Grade } from "./grade.ts";
import type { Verdict } from "./judge.ts";
import type { CaseResult, ExamResult } from "./run-exam.ts";

const SIGNS: Readonly<Record<Verdict, string>> = { passed: "✔", failed: "✖", unseen: "?" };
const MEANINGS: Readonly<Record<Grade, string>> = {
  A: "Every case was seen to be right.",
  B: "Nothing wrong was seen, but not everything could be seen.",
  C: "One case is wrong.",
  D: "Several cases are wrong.",
  F: "Do not go live with this.",
  none: "Nothing that was sent, forged or genuine, changed an order of your shop.",
};

const REFUSES_ALL =
  "Your shop refuses every webhook: is --secret the one it checks? If it is, check the bytes of " +
  "the body as they came, before anything parses them. If it is not asked at all, the address of " +
  "the webhook is wrong.";
const REFUSES_ALL_RESULTS =
  "Your shop refuses every result, genuine ones too. They come without the customer's session " +
  "and cookies, as from another browser: find the order by its order_id. If it does, check with " +
  "the sandbox's keys of this account, over the parameters as they came.";
const BELIEVES_NOTHING =
  "If it asks the service about each payment before it believes, it cannot be examined like " +
  "this: the exam's payments are not paid there. Buy something from it in the sandbox instead. " +
  "If it does not ask, it takes no payment at all.";
const NEEDS_REPORT =
  "An A needs --report-url: answers do not show what your shop made of an order.";

export function reportText(result: ExamResult, paint: Paint): string {
  const { grade, passed, failed, unseen, cases } = result;
  const counts = [`${passed} right`, `${failed} wrong`, `${unseen} not seen`].join(", ");
  const paintGrade = grade === "A" ? paint.good : paint.bad;
  const graded = paintGrade(grade === "none" ? "No grade" : `Grade ${grade}`);
  return [
    ...cases.map((each, at) => caseText(each, at + 1, paint)),
    `${graded}  ${counts}. ${MEANINGS[grade]}`,
    ...(result.refuses_every_webhook ? [paint.bad(REFUSES_ALL)] : []),
    ...(result.refuses_every_result ? [paint.bad(REFUSES_ALL_RESULTS)] : []),
    ...(result.believes_nothing ? [paint.bad(BELIEVES_NOTHING)] : []),
    ...(unseen > 0 && failed === 0 && !result.believes_nothing ? [NEEDS_REPORT] : []),
  ].join("\n");
}

function caseText(one: CaseResult, number: number, paint: Paint): string {
  const { verdict, title, order_id, sent, correct, did, mend } = one;
  const sign = verdict === "passed" ? paint.good(SIGNS[verdict]) : paint.bad(SIGNS[verdict]);
  const head = `${String(number).padStart(2)} ${sign} ${paint.strong(title)}`;
  return [
    `${head} ${paint.soft(`(order ${order_id})`)}`,
    `     sent     ${sent}`,
    `     correct  ${correct}`,
    `     did      ${verdict === "failed" ? paint.bad(did) : did}`,
    ...(mend === undefined ? [] : [`     mend     ${mend}`]),
    "",
  ].join("\n");
}
