/**
 * The grade of a whole exam (Decision 0110). A: all twelve cases were seen to be right. B: nothing
 * was wrong, but not everything could be seen. C: one case was wrong. D: two or three were. F: more
 * were, or goods can be had without paying for them. None: the shop believed nothing, forged or
 * genuine, so that nothing can be said.
 */

import type { Verdict } from "./judge.ts";

export type Grade = "A" | "B" | "C" | "D" | "F" | "none";

export interface Graded {
  readonly verdict: Verdict;
  readonly losesGoods: boolean;
}

const D_FAILURES_MAX = 3;

export function gradeOf(cases: readonly Graded[], believesNothing = false): Grade {
  const failed = cases.filter(({ verdict }) => verdict === "failed");
  if (failed.some(({ losesGoods }) => losesGoods) || failed.length > D_FAILURES_MAX) return "F";
  if (failed.length > 1) return "D";
  if (failed.length === 1) return "C";
  if (believesNothing) return "none";
  return cases.every(({ verdict }) => verdict === "passed") ? "A" : "B";
}
