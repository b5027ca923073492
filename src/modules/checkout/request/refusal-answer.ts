/**
 * How a payment request is refused (Interface §2.4, §4.4, Decision 0036): as JSON `{url, message,
 * transaction_id}`, or, to a browser that posted a form, by sending it back to the merchant with
 * the reason.
 *
 * This is the one place where an unknown caller chooses where a browser goes. So only an address
 * that would do for a result is used, it carries nothing but our own words, and never a success.
 * Where there is no such address the browser reads a plain page.
 */

import type { Config } from "../../../infra/config.ts";
import type { Answer } from "../../../infra/http/answer.ts";
import type { RefusedCall } from "../../../infra/http/route.ts";
import { acceptsHtml } from "../../../kit/accept.ts";
import { ServiceError } from "../../../kit/errors.ts";
import { seeOther } from "../../../parts/page.ts";
import { checkoutWords } from "../../../words/checkout/checkout-words.ts";
import { chooseLanguage, languageNamed } from "../../../words/choose-language.ts";
import { plainAnswer } from "../page/answers.ts";
import { mergeIntoUrl } from "../result/merge-into-url.ts";
import type { PaymentKeys } from "../result/payment-keys.ts";
import { fitResponseUrl } from "../result/response-url.ts";
import { errorParameters } from "../result/result-parameters.ts";
import { type FieldRules, isOrderId } from "./request-fields.ts";

/** Refused after the merchant was known: its page can verify the refusal. */
export class KnownMerchantRefused extends ServiceError {
  readonly keys: PaymentKeys;

  constructor(refusal: ServiceError, keys: PaymentKeys) {
    const { code, message, field, hint, cause } = refusal;
    super(code, { message, field, hint, cause });
    this.keys = keys;
  }
}

export interface Browsing {
  header(name: string): string | undefined;
}

/** A form that a browser posted and whose answer it will show; all others read JSON. */
export function isBrowser({ header }: Browsing): boolean {
  const type = header("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type === "application/x-www-form-urlencoded" && acceptsHtml(header("accept"));
}

export function refusalAnswer(
  config: Pick<Config, "http">,
  rules: FieldRules,
  status: number,
  call: RefusedCall,
): Answer {
  const { message } = call.refusal;
  const body = (call.body ?? {}) as Readonly<Record<string, unknown>>;
  const url = status === 400 ? errorAddress(rules, body, call) : "";
  if (!isBrowser(call)) return { status, body: { url, message, transaction_id: "" } };
  if (url !== "") return seeOther(url);
  const layout = body.method === "3co_simple" ? "simple" : "full";
  const requested = languageNamed(body.language);
  const acceptLanguage = call.header("accept-language");
  const t = checkoutWords(chooseLanguage({ requested, acceptLanguage }));
  const { heading, text } = t.notStarted;
  return plainAnswer(config, status, { heading, text: text(message) }, { layout, t });
}

function errorAddress(
  rules: FieldRules,
  body: Readonly<Record<string, unknown>>,
  { refusal }: RefusedCall,
): string {
  const address = fitResponseUrl(body, rules);
  if (address === undefined) return "";
  const { order_id: given } = body;
  const keys = refusal instanceof KnownMerchantRefused ? refusal.keys : undefined;
  const orderId = isOrderId(given) ? given : "";
  return mergeIntoUrl(address, errorParameters({ message: refusal.message, orderId }, keys));
}
