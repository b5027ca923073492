/**
 * What a result says to an owner: a plain sentence. Its code, such as 2-R05, is for developers, who
 * know it from their shop's log.
 */

import { resultCode, TIMED_OUT } from "../../modules/checkout/session/result-messages.ts";
import { englishReason } from "../../words/checkout/decline-reason.ts";

const CODE = /^\[\d-R([^\]]*)\]:?\s*/;

/** `message`: as it is stored, with its code or, of a single card, without. */
export function resultWords(message: string): string {
  if (message === TIMED_OUT) return "Nobody paid in time.";
  if (message.startsWith("[1-")) return "The card's bank approved the payment.";
  const said = message.replace(CODE, "");
  return englishReason(CODE.exec(message)?.[1] ?? "", said);
}

/** Undefined where it has none. */
export function codeOfResult(message: string): string | undefined {
  const code = resultCode(message);
  return code === "none" ? undefined : code;
}
