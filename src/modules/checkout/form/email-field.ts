/**
 * Reads the customer's e-mail, which the page asks for where the payment request brought none
 * (Interface §2.4, Decision 0064). The rules are those of the request's field, in the words of the
 * page.
 */

import { normalEmail } from "../../../kit/fields/text.ts";
import type { CardFormWords } from "../../../words/card-form/en.ts";
import { type InWords, lineProblem, type Problem, type Read } from "./card-fields.ts";
import type { FormValues } from "./form-values.ts";

export const CUSTOMER_EMAIL_MAX = 50;

export interface EmailRules extends InWords {
  readonly asksEmail: boolean;
  readonly merchant: { readonly email: string };
}

/** Undefined where the page does not ask: then nothing that was posted counts. */
export function readEmail(
  form: FormValues,
  { asksEmail, merchant, words }: EmailRules,
): { email: string | undefined } | { problems: readonly Problem[] } {
  if (!asksEmail) return { email: undefined };
  const read = readTyped(form.email ?? "", merchant.email, words);
  if ("value" in read) return { email: read.value };
  return { problems: [{ field: "email", message: read.message }] };
}

function readTyped(typed: string, merchantEmail: string, words: CardFormWords): Read<string> {
  const text = typed.trim();
  if (text === "") return { message: words.email.missing };
  const problem = lineProblem(text, CUSTOMER_EMAIL_MAX, words);
  if (problem !== undefined) return { message: problem };
  const value = normalEmail(text);
  if (value === undefined) return { message: words.email.wrong };
  if (value === merchantEmail) return { message: words.email.sellers };
  return { value };
}
