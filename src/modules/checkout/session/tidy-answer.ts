/**
 * What a gateway says is kept and shown, so it is tidied first: one line of at most 200 characters,
 * a code of letters and digits, and no card number, should a gateway repeat one (Decision 0040).
 */

import { scrub } from "../../../kit/scrub.ts";
import type { SaleOutcome } from "../../gateway/gateway.ts";

const MESSAGE_MAX = 200;
const CODE = /^[A-Za-z0-9]{1,8}$/;
const NO_CODE = "XX";

export function tidyAnswer(answer: SaleOutcome): SaleOutcome {
  if (answer.outcome === "approved") return { ...answer, message: tidy(answer.message) };
  if (answer.outcome !== "declined") return answer;
  const code = CODE.test(answer.code) ? answer.code : NO_CODE;
  return { ...answer, code, message: tidy(answer.message) };
}

function tidy(message: string): string {
  const line = scrub(message.replace(/[\p{Cc}\s]+/gu, " ").trim());
  return [...line].slice(0, MESSAGE_MAX).join("");
}
