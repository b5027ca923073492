/**
 * What a shop did in a case, and whether that is right (Decision 0110).
 *
 * What cannot be seen is not held against the shop, and not counted for it either: without a report
 * a page that answers 200 may say "thank you" or "not paid".
 */

import { type Expectation, isAcknowledged, type Signing } from "./exam-case.ts";
import type { Answer, OrderReport } from "./shop.ts";

export const QUICK_MS_MAX = 5_000;

export type Verdict = "passed" | "failed" | "unseen";

export interface Sent {
  readonly kind: "result" | Signing;
  readonly answer: Answer;
}

/**
 * Why a case is wrong where it is not for what the case is about: a forged webhook made the shop
 * crash, or its page takes no result at all.
 */
export type OtherReason = "crashes" | "refuses_results";

export interface Judged {
  readonly verdict: Verdict;
  readonly did: string;
  readonly because?: OtherReason;
}

export interface Evidence {
  readonly sent: readonly Sent[];
  /** Undefined without a report. */
  readonly report: OrderReport | undefined;
  /** Webhooks were slow before: that is held against the shop once. */
  readonly isKnownSlow: boolean;
  readonly refuses: Refusals;
}

/** A shop that refuses all that is genuine shows nothing by refusing what is forged. */
export interface Refusals {
  readonly everyWebhook: boolean;
  readonly everyResult: boolean;
  /**
   * No order was paid, shipped or anything else, whatever was sent: so does a shop that asks the
   * service about each payment. The exam's are not paid there.
   */
  readonly everything: boolean;
}

/** In a whole exam, by its cases. A shop that is only slow refuses nothing. */
export function refusalsIn(
  cases: readonly (Pick<Evidence, "sent" | "report"> & { readonly expected: Expectation })[],
): Refusals {
  const all = cases.flatMap(({ sent }) => sent);
  const webhooks = all.filter(({ kind }) => kind === "signed" || kind === "early");
  const results = cases
    .flatMap(({ expected, sent }) => (expected.answers === "accepts" ? sent : []))
    .filter(({ kind }) => kind === "result");
  const isRefused = (sent: readonly Sent[]) => sent.length > 0 && sent.every(hasRefusal);
  const [everyWebhook, everyResult] = [isRefused(webhooks), isRefused(results)];
  const reports = cases.flatMap(({ report }) => report ?? []);
  const isUntouched = reports.every(({ state, shipped }) => state === "unpaid" && shipped === 0);
  const everything = reports.length > 0 ? isUntouched : everyWebhook && everyResult;
  return { everyWebhook, everyResult, everything };
}

const hasRefusal = ({ answer: { status } }: Sent) => status >= 400;

export function judge(expected: Expectation, evidence: Evidence): Judged {
  const { sent, report } = evidence;
  const seen = verdictOf(expected, evidence);
  const hollow = hollowOf(seen, expected, evidence);
  const verdict = hollow === "" ? seen : "unseen";
  const did = [`answered ${counted(sent.map((each) => wordsOf(each, verdict)))}`];
  if (report !== undefined) did.push(`the order is ${report.state}, ${shippedWords(report)}`);
  if (hollow !== "") did.push(`that shows nothing: your shop ${hollow}`);
  else if (verdict === "unseen" && report === undefined)
    did.push("what became of the order cannot be seen without --report-url");
  const because = verdict === "failed" ? otherReason(expected, evidence) : undefined;
  return { verdict, did: did.join("; "), ...(because && { because }) };
}

/** Why a case shows nothing, although it looks right or wrong; empty where it shows something. */
function hollowOf(seen: Verdict, expected: Expectation, { sent, refuses, ...more }: Evidence) {
  const isRefusal = expected.answers === "refuses";
  if (isRefusal && seen !== "passed") return "";
  if (isRefusal && refuses.everyWebhook && sent.some(({ kind }) => kind !== "result"))
    return "refuses every webhook";
  if (isRefusal && refuses.everyResult && sent.some(({ kind }) => kind === "result"))
    return "refuses every result";
  if (!refuses.everything) return "";
  const isSilent = ({ answer: { trouble } }: Sent) =>
    trouble !== undefined && !(trouble === "too late" && more.isKnownSlow);
  const isLate = ({ answer: { ms } }: Sent) => ms > QUICK_MS_MAX;
  const showsTime = expected.answers === "quickly" && (seen === "passed" || sent.some(isLate));
  return sent.some(isSilent) || showsTime ? "" : "believed nothing that was sent";
}

function otherReason(expected: Expectation, evidence: Evidence): OtherReason | undefined {
  const { sent, report, refuses } = evidence;
  if ((report?.shipped ?? 0) > Math.max(...expected.shipped)) return undefined;
  if (expected.answers === "refuses") {
    const isBelieved = forgedIn(sent).some(isAcknowledged);
    return crashes(evidence) && !isBelieved ? "crashes" : undefined;
  }
  const isAboutResults = refuses.everyResult && sent.some(({ kind }) => kind === "result");
  return isAboutResults ? "refuses_results" : undefined;
}

/** A crash is no refusal: it is sent again and again, and one day it may do half of its work. */
function crashes({ sent, refuses }: Evidence): boolean {
  return !refuses.everyWebhook && forgedIn(sent).some(({ status }) => status >= 500);
}

const FORGED: readonly Sent["kind"][] = ["forged", "unsigned", "empty", "bare", "old"];
const forgedIn = (sent: readonly Sent[]) =>
  sent.flatMap(({ kind, answer }) => (FORGED.includes(kind) ? [answer] : []));

function verdictOf(expected: Expectation, evidence: Evidence): Verdict {
  const { report } = evidence;
  if (expected.answers === "refuses" && crashes(evidence)) return "failed";
  const byAnswers = judgeAnswers(expected, evidence);
  if (report === undefined) return byAnswers;
  const isRight = report.state === expected.state && expected.shipped.includes(report.shipped);
  // A shop that answers 200 to a forgery and changes nothing has not believed it.
  const byOrder = isRight || expected.answers === "quickly" ? "passed" : "failed";
  const counts = expected.answers === "refuses" || byAnswers === "unseen" ? byOrder : byAnswers;
  return byOrder === "failed" ? "failed" : counts;
}

/** By the answers alone. */
function judgeAnswers({ answers }: Expectation, { sent, isKnownSlow }: Evidence): Verdict {
  if (answers === "quickly") {
    const isQuick = sent.every(({ answer }) => isAcknowledged(answer) && answer.ms <= QUICK_MS_MAX);
    return isQuick ? "passed" : "failed";
  }
  const answersTo = (...kinds: Sent["kind"][]) =>
    sent.flatMap(({ kind, answer }) => (kinds.includes(kind) ? [answer] : []));
  const results = answersTo("result");
  // It was there before: a shop that ends on what somebody sends it is not right.
  if (sent.some(({ answer }) => answer.trouble === "no connection")) return "failed";
  if (answers === "refuses") {
    const forged = forgedIn(sent);
    if (forged.some(isAcknowledged)) return "failed";
    return [...results, ...forged].some(({ status }) => status < 400) ? "unseen" : "passed";
  }
  const isExcused = (each: Answer) => isKnownSlow && each.trouble === "too late";
  const isBad =
    answersTo("signed").some((each) => !isAcknowledged(each) && !isExcused(each)) ||
    results.some(({ status }) => status === 0 || status >= 400);
  return isBad ? "failed" : "unseen";
}

/** Its own words say why it refused; where refusing is right they are left out. */
function wordsOf({ kind, answer }: Sent, verdict: Verdict): string {
  const { status, ms, trouble, words = "" } = answer;
  const what = kind === "result" ? "result" : "webhook";
  if (trouble === "too late") return `${what} nothing within ${Math.round(ms / 1000)} s`;
  if (trouble !== undefined) return `${what} nothing, there was no connection`;
  const late = ms > QUICK_MS_MAX ? ` after ${(ms / 1000).toFixed(1)} s` : "";
  const said = words === "" || verdict === "passed" ? "" : ` (${words})`;
  return `${what} ${status}${late}${said}`;
}

/** What comes several times in a row is said once. */
function counted(words: readonly string[]): string {
  const runs: { readonly word: string; times: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.times += 1;
    else runs.push({ word, times: 1 });
  }
  return runs.map(({ word, times }) => (times === 1 ? word : `${times} × ${word}`)).join(", ");
}

function shippedWords({ shipped }: OrderReport): string {
  if (shipped === 0) return "nothing shipped";
  if (shipped === 1) return "shipped once";
  return shipped === 2 ? "shipped twice" : `shipped ${shipped} times`;
}
