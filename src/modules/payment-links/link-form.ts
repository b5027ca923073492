/**
 * What a customer types on a payment link's page. A sentence for each field that is not good, in
 * the language of the page; what is good is read as the payment request would read it.
 */

import { FieldRefused } from "../../kit/errors.ts";
import { holdsCardNumber } from "../../kit/fields/card-number-inside.ts";
import { line } from "../../kit/fields/text.ts";
import { money, parseMinor } from "../../kit/money.ts";
import type { Language } from "../../kit/vocabulary.ts";
import type { LinkWords } from "../../words/link/en.ts";
import { moneyIn } from "../../words/locale.ts";
import type { Offer } from "./offer.ts";

export const REFERENCE_LENGTH_MAX = 100;
/** `1,234.50`: commas between thousands. */
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;
/** `1.234,50`, as Spanish and Dutch write it. Without cents it could be either, and is refused. */
const GROUPED_BY_DOTS = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/;
const AMOUNT_LENGTH_MAX = 20;

export interface Typed {
  readonly amount: string;
  readonly reference: string;
}

export type Problems = Partial<Readonly<Record<keyof Typed, string>>>;

export type ReadForm =
  | { readonly minor: bigint; readonly reference: string | null }
  | { readonly problems: Problems };

export function readLinkForm(
  offer: Offer,
  typed: Typed,
  { t, language }: { readonly t: LinkWords; readonly language: Language },
): ReadForm {
  const minor = offer.amount_minor ?? readAmount(offer, typed.amount);
  const reference = typed.reference.trim();
  const referenceProblem = offer.reference_label === null ? undefined : wrong(reference, t);
  if (minor !== undefined && referenceProblem === undefined)
    return { minor, reference: offer.reference_label === null ? null : reference };
  const bounds = boundsText(offer, t, language);
  return {
    problems: {
      ...(minor === undefined && { amount: `${t.problems.amount} ${bounds}` }),
      ...(referenceProblem && { reference: referenceProblem }),
    },
  };
}

export function boundsText(
  { currency, amount_min_minor: min, amount_max_minor: max }: Offer,
  t: LinkWords,
  language: Language,
): string {
  if (min === null || max === null) return "";
  const shown = (minor: bigint) => moneyIn(language, money(currency, minor));
  return t.bounds(shown(min), shown(max));
}

/** Undefined: no amount, or beyond the bounds. */
function readAmount(offer: Offer, typed: string): bigint | undefined {
  const minor = parseMinor(plainAmount(typed));
  const { amount_min_minor: min, amount_max_minor: max } = offer;
  if (minor === undefined || min === null || max === null) return undefined;
  return minor >= min && minor <= max ? minor : undefined;
}

/** As people write it: with a sign or spaces, a comma before the cents, thousands in groups. */
function plainAmount(typed: string): string {
  if (typed.length > AMOUNT_LENGTH_MAX) return "";
  const text = typed.replace(/[\s\u00a0\u202f]/g, "").replace(/^\$/, "");
  if (GROUPED.test(text)) return text.replaceAll(",", "");
  const ungrouped = GROUPED_BY_DOTS.test(text) ? text.replaceAll(".", "") : text;
  return ungrouped.replace(",", ".");
}

function wrong(reference: string, { problems }: LinkWords): string | undefined {
  if (reference === "") return problems.reference;
  if ([...reference].length > REFERENCE_LENGTH_MAX)
    return problems.referenceLong(REFERENCE_LENGTH_MAX);
  if (holdsCardNumber(reference)) return problems.cardNumber;
  try {
    line(REFERENCE_LENGTH_MAX).read(reference, "reference");
    return undefined;
  } catch (error) {
    if (error instanceof FieldRefused) return problems.reference;
    throw error;
  }
}
