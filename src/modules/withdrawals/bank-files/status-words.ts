/** What the bank's codes mean to us (Decision 0049). */

import { maskNumbers } from "../../../kit/mask-numbers.ts";
import { scrub } from "../../../kit/scrub.ts";
import type { Verdict } from "./status-report.ts";

/** The lists are the standard's; a code that stands in none of them is shown and not acted on. */
const PAID = ["ACSC", "ACCC"];
const NOT_PAID = ["RJCT", "CANC"];
const UNDER_WAY = ["ACCP", "ACFC", "ACSP", "ACTC", "ACWC", "ACWP", "PART", "PATC", "PDNG", "RCVD"];

/**
 * The bank refuses the second of two, and has perhaps paid the first: a file that was handed in
 * twice must not give the money back.
 */
const SECOND_OF_TWO = ["AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05"];

/** Above the payments such a code applies to each of them. */
export function doubleCodesIn({ reasonCodes }: Verdict): readonly string[] {
  return reasonCodes.filter((code) => SECOND_OF_TWO.includes(code));
}

export type Meaning = "paid" | "not paid" | "under way" | "refused as a double" | "unknown code";

export function meaningOf(verdict: Verdict): Meaning {
  const { status } = verdict;
  if (PAID.includes(status)) return "paid";
  if (UNDER_WAY.includes(status)) return "under way";
  if (!NOT_PAID.includes(status)) return "unknown code";
  return doubleCodesIn(verdict).length > 0 ? "refused as a double" : "not paid";
}

/** The reasons that payees can do something about, in words for them. */
const REASONS: Readonly<Record<string, string>> = {
  AC01: "the account number is wrong",
  AC02: "the account number is wrong",
  AC03: "the account number is wrong",
  AC04: "the account is closed",
  AC06: "the account is blocked",
  BE01: "the name does not fit the account",
  BE04: "the address of the payee is missing",
  BE05: "the payee is not known",
  RC01: "the bank's code is wrong",
  RR03: "the name or address of the payee is missing",
};

/** The reason shown to the merchant: our words for the code, else the bank's. */
export function reasonOf({ status, reasonCodes, reasonText }: Verdict): string {
  const verb = status === "CANC" ? "cancelled" : "refused";
  const codes = reasonCodes.length === 0 ? "" : ` (${reasonCodes.join(", ")})`;
  const known = reasonCodes.map((code) => REASONS[code]).find((words) => words !== undefined);
  const words = known ?? reasonText;
  return withoutNumbers(`The bank ${verb} it${codes}${words === "" ? "." : `: ${words}`}`);
}

/** All that the bank says of it, for an operator: code, reasons and the bank's own words. */
export function saidOf({ status, reasonCodes, reasonText }: Verdict): string {
  const said = [status, ...reasonCodes].filter((one) => one !== "").join(" ");
  return withoutNumbers([said, reasonText].filter((one) => one !== "").join(": "));
}

/** Banks repeat account and document numbers, which are never shown whole. */
function withoutNumbers(words: string): string {
  return maskNumbers(scrub(words));
}
