/**
 * What a result says to an owner: a plain sentence. Its code, such as 2-R05, is for developers, who
 * know it from their shop's log.
 */

import { resultCode } from "../../modules/checkout/session/result-messages.ts";
import { englishReason } from "../../words/checkout/decline-reason.ts";

const CODE = /^\[\d-R([^\]]*)\]:?\s*/;

/** `message`: as it is stored, with its code or, of a single card, without. */
export function resultWords(message: string): string {
  const said = message.replace(CODE, "");
  if (said === "Transaction is approved.") return "The card's bank approved the payment.";
  if (said === "Transaction timed out.") return "Nobody paid in time.";
  return englishReason(CODE.exec(message)?.[1] ?? "", said);
}

/** Undefined where it has none. */
export function codeOfResult(message: string): string | undefined {
  const code = resultCode(message);
  return code === "none" ? undefined : code;
}
