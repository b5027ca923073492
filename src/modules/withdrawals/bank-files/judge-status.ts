/**
 * What follows from a bank's status file, payment by payment, as a pure function (Decision 0049).
 *
 * A payment moves only when everything that the file says about it agrees, fits what was sent, and
 * does not contradict what has happened here. All else is a finding for an operator, and moves
 * nothing.
 */

import type { Finding, SentPayment, Standing } from "./find-mismatch.ts";
import { findMismatch, normalId } from "./find-mismatch.ts";
import type { PaymentVerdict, StatusReport, Verdict } from "./status-report.ts";
import { doubleCodesIn, type Meaning, meaningOf, reasonOf, saidOf } from "./status-words.ts";

const QUIET: readonly Finding["result"][] = ["completed", "failed", "nothing new", "under way"];

export function needsAPerson({ result }: Finding): boolean {
  return !QUIET.includes(result);
}

/** By line; payments that the file says nothing of are not among them. */
export function judgeStatus(report: StatusReport, sent: readonly SentPayment[]): Finding[] {
  const lines = report.parts.flatMap(({ payments }) => payments);
  const byId = Map.groupBy(lines, ({ endToEndId }) => normalId(endToEndId));
  const byInstruction = Map.groupBy(lines, ({ instructionId }) => normalId(instructionId));
  const found = sent.flatMap((payment) => {
    const named = byId.get(normalId(payment.endToEndId)) ?? [];
    byId.delete(normalId(payment.endToEndId));
    const instructed = byInstruction.get(normalId(payment.transactionId)) ?? [];
    const own = [...new Set([...named, ...instructed])];
    const alsoSaid = doublesAbove(report, payment);
    return judgePayment(payment, own.map(alsoSaid), generalVerdicts(report, payment).map(alsoSaid));
  });
  const strangers = [...byId.values()].flat().map((line) => ({
    ...about(undefined, line),
    endToEndId: line.endToEndId,
    result: "unknown payment" as const,
    words: "That file had no such payment.",
  }));
  const all = [...found, ...strangers, ...judgeGeneral(report, sent)];
  return all.sort((left, right) => left.line - right.line);
}

/** Statuses above the payments that apply to none of them, which must not be lost. */
function judgeGeneral({ all, parts }: StatusReport, sent: readonly SentPayment[]): Finding[] {
  const known = new Set(sent.map(({ partId }) => partId));
  const unknown = parts.filter(({ partId }) => !known.has(partId)).filter(says);
  const codes = [all, ...parts.filter(({ partId }) => known.has(partId))].filter(
    (one) => says(one) && meaningOf(one) === "unknown code",
  );
  return [
    ...unknown.map((part) => ({
      ...about(undefined, part),
      result: "unknown part" as const,
      words: `That file had no part ${part.partId || "without a name"}.`,
    })),
    ...codes.map((verdict) => ({
      ...about(undefined, verdict),
      result: "unknown code" as const,
      words: `Nobody here knows ${verdict.status}.`,
    })),
  ];
}

function says({ status }: Verdict): boolean {
  return status !== "";
}

function above({ all, parts }: StatusReport, { partId }: SentPayment): readonly Verdict[] {
  return [all, ...parts.filter((part) => part.partId === partId)];
}

/**
 * What is said of the whole file or of the part, once one of them is an end, which counts for all
 * inside: then the others must say so, too. `PART` says of none what became of it.
 */
function generalVerdicts(report: StatusReport, payment: SentPayment): readonly Verdict[] {
  const general = above(report, payment).filter((one) => says(one) && one.status !== "PART");
  const isEnd = (one: Verdict) => !["under way", "unknown code"].includes(meaningOf(one));
  return general.some(isEnd) ? general : [];
}

/** A code for a duplicate applies to everything below it. */
function doublesAbove(report: StatusReport, payment: SentPayment) {
  const codes = above(report, payment).flatMap(doubleCodesIn);
  return <V extends Verdict>(verdict: V): V =>
    codes.length === 0 ? verdict : { ...verdict, reasonCodes: [...verdict.reasonCodes, ...codes] };
}

function judgePayment(
  payment: SentPayment,
  lines: readonly PaymentVerdict[],
  general: readonly Verdict[],
): Finding[] {
  const own = lines.map((line) => withGeneralStatus(line, general));
  const voices = [...own, ...general];
  const first = voices.find(isDouble) ?? voices.find(givesReasons) ?? voices[0];
  if (first === undefined) return [];
  if (!agree(voices)) {
    const said = [...new Set(voices.map(({ status }) => status || "nothing"))].join(" and ");
    const words = `The bank's file says ${said} of it. Ask the bank.`;
    return (own.length === 0 ? [first] : own).map((line) => ({
      ...about(payment, line),
      result: "contradiction",
      words,
    }));
  }
  const odd = own.find((line) => findMismatch(payment, line) !== undefined);
  const mismatch = odd && findMismatch(payment, odd);
  const judged = mismatch ? { ...about(payment, odd), ...mismatch } : judge(payment, first);
  const spoken = odd ?? first;
  const repeated = own
    .filter((line) => line !== spoken)
    .map((line) => ({
      ...about(payment, line),
      result: "told twice" as const,
      words: `Line ${spoken.line} says so already.`,
    }));
  return [judged, ...repeated];
}

/** A line that only gives reasons gives them for what is said of its part, or of the whole. */
function withGeneralStatus(line: PaymentVerdict, general: readonly Verdict[]): PaymentVerdict {
  const above = general.at(-1);
  if (line.status !== "" || above === undefined) return line;
  const { status, reasonCodes, reasonText } = above;
  return givesReasons(line) ? { ...line, status } : { ...line, status, reasonCodes, reasonText };
}

function givesReasons({ reasonCodes, reasonText }: Verdict): boolean {
  return reasonCodes.length > 0 || reasonText !== "";
}

function isDouble(verdict: Verdict): boolean {
  return meaningOf(verdict) === "refused as a double";
}

/** Refused as a duplicate is a special case of refused. */
function agree(voices: readonly Verdict[]): boolean {
  const meanings = voices.map((voice) => (isDouble(voice) ? "not paid" : meaningOf(voice)));
  return new Set(meanings).size === 1;
}

function judge(payment: SentPayment, verdict: Verdict): Finding {
  const meaning = meaningOf(verdict);
  return { ...about(payment, verdict), ...OUTCOMES[meaning](payment.standing, verdict) };
}

type Outcome = Pick<Finding, "result" | "words" | "reason">;

/** A failed one has given its money back; a stopped one still holds it, and could be sent again. */
const PAID_AGAINST_US = {
  failed:
    "The bank has paid it, and here it is failed: its owner may have the money twice. Ask the " +
    "bank to call it back.",
  stopped:
    "The bank has paid it, and here it was stopped: it must not be paid again. Do not release " +
    "it, hold it if it was released, and ask the bank.",
} as const;

const KNOWN: Outcome = { result: "nothing new", words: "We know that." };

const OUTCOMES: Readonly<Record<Meaning, (standing: Standing, verdict: Verdict) => Outcome>> = {
  paid(standing) {
    if (standing === "waiting") return { result: "completed", words: "It is completed." };
    if (standing === "completed" || standing === "returned") return KNOWN;
    return { result: "contradiction", words: PAID_AGAINST_US[standing] };
  },
  "not paid"(standing, verdict) {
    const reason = reasonOf(verdict);
    if (standing === "waiting") return { result: "failed", words: reason, reason };
    if (standing !== "completed") return KNOWN;
    const words =
      "The bank said before that it has paid it. Ask the bank which is true; if the money came " +
      "back, use return-withdrawal.";
    return { result: "contradiction", words };
  },
  "under way": () => ({ result: "under way", words: "The bank is at it." }),
  "refused as a double": () => ({
    result: "refused as a double",
    words:
      "The bank takes it for one that it has already. Ask whether that one is paid; " +
      "if not, use fail-withdrawal.",
  }),
  "unknown code": (_standing, { status }) => ({
    result: "unknown code",
    words: status === "" ? "The bank says nothing of it." : `Nobody here knows ${status}.`,
  }),
};

function about(payment: SentPayment | undefined, verdict: Verdict) {
  const { line, status } = verdict;
  return {
    said: saidOf(verdict),
    line,
    endToEndId: payment?.endToEndId ?? "",
    transactionId: payment?.transactionId,
    status,
  };
}
