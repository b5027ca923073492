/**
 * Reads the card of a submitted form: the number as people type it, its network, the expiry, the
 * security code and the name (Decision 0040). Pure, and judged field by field, so that the page can
 * say at each one what is wrong with it.
 *
 * A problem never repeats what was typed. Only the digits 0 to 9 are digits
 * here; those of other scripts look alike to a person and not to a card network.
 */

import {
  type CardNetwork,
  NETWORK_NAMES,
  networkOf,
  passesLuhn,
} from "../../../kit/card-network.ts";
import { addSeconds, HOUR_SECONDS } from "../../../kit/clock.ts";
import { holdsCardNumber } from "../../../kit/fields/card-number-inside.ts";
import type { Card } from "../../gateway/port.ts";
import { isSandboxCard } from "../../gateway/sandbox/cards.ts";
import { FIELD_TEXTS } from "./field-texts-en.ts";
import type { FieldName, FormValues } from "./form-values.ts";

export interface CardRules {
  /** The only network that the merchant takes for this order. */
  readonly only: CardNetwork | undefined;
  readonly isAvs: boolean;
  /** Now, by the database's clock. */
  readonly at: Date;
  /** Whether the gateway behind is the simulator, which knows the sandbox's cards. */
  readonly takesSandboxCards: boolean;
}

export interface Problem {
  readonly field: FieldName;
  readonly message: string;
}

export type Read<T> = { readonly value: T } | { readonly message: string };

const NUMBER = /^[0-9](?:[ -]?[0-9])*$/;
const LENGTHS: Readonly<Record<CardNetwork, readonly number[]>> = {
  visa: [13, 16, 19],
  mastercard: [16],
};
const AMEX = /^3[47]/;
const NOT_TAKEN = new Set<string>([FIELD_TEXTS.number.notTaken, FIELD_TEXTS.number.amex]);
const EXPIRY = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(?:20)?([0-9]{2})$|^(0[1-9]|1[0-2])(?:20)?([0-9]{2})$/;
const CVV = /^[0-9]{3}$/;
const YEARS_MAX = 20;
const HOLDER_MAX = 60;
/** The month is over when it is over everywhere on earth. */
const LAST_TIME_ZONE_HOURS = 12;

export function readNumber(
  typed: string,
  rules: CardRules,
): Read<{ number: string; network: CardNetwork }> {
  const text = typed.trim();
  if (text === "") return { message: FIELD_TEXTS.number.missing };
  if (!NUMBER.test(text)) return { message: FIELD_TEXTS.number.notDigits };
  const number = text.replace(/[ -]/g, "");
  const network = networkOf(number);
  if (network === undefined)
    return { message: FIELD_TEXTS.number[AMEX.test(number) ? "amex" : "notTaken"] };
  const wrong = { message: FIELD_TEXTS.number.notValid };
  if (!LENGTHS[network].includes(number.length)) return wrong;
  const isListed = isSandboxCard(number);
  if (isListed && !rules.takesSandboxCards) return { message: FIELD_TEXTS.number.testCard };
  if (!isListed && !passesLuhn(number)) return wrong;
  if (rules.only !== undefined && network !== rules.only) {
    const [given, wanted] = [NETWORK_NAMES[network], NETWORK_NAMES[rules.only]];
    return { message: FIELD_TEXTS.number.otherNetwork({ given, wanted }) };
  }
  return { value: { number, network } };
}

export function readExpiry(
  typed: string,
  { at }: CardRules,
): Read<{ month: number; year: number }> {
  const text = typed.trim();
  if (text === "") return { message: FIELD_TEXTS.expiry.missing };
  const match = EXPIRY.exec(text);
  if (match === null) return { message: FIELD_TEXTS.expiry.wrong };
  const month = Number(match[1] ?? match[3]);
  const year = 2000 + Number(match[2] ?? match[4]);
  if (hasExpired({ month, year }, at)) return { message: FIELD_TEXTS.expiry.over };
  if (year > expiryBounds(at).lastYear) return { message: FIELD_TEXTS.expiry.tooFar };
  return { value: { month, year } };
}

/** Once its month is over everywhere. */
export function hasExpired({ month, year }: { month: number; year: number }, at: Date): boolean {
  const first = expiryBounds(at);
  return year < first.year || (year === first.year && month < first.month);
}

/** The first month in which a card may expire, and the last year. */
export function expiryBounds(at: Date) {
  const latest = addSeconds(at, -LAST_TIME_ZONE_HOURS * HOUR_SECONDS);
  const [year, month] = [latest.getUTCFullYear(), latest.getUTCMonth() + 1];
  return { year, month, lastYear: at.getUTCFullYear() + YEARS_MAX };
}

export function readCvv(typed: string): Read<string> {
  const text = typed.trim();
  if (text === "") return { message: FIELD_TEXTS.cvv.missing };
  if (!CVV.test(text)) return { message: FIELD_TEXTS.cvv.wrong };
  return { value: text };
}

export function readHolder(typed: string): Read<string> {
  const text = typed.trim().replace(/\s+/g, " ");
  if (text === "") return { message: FIELD_TEXTS.holder.missing };
  const problem = wordsProblem(text, HOLDER_MAX);
  return problem === undefined ? { value: text } : { message: problem };
}

/** What is wrong with a line of words; a card number in it goes nowhere. */
export function wordsProblem(text: string, charactersMax: number): string | undefined {
  if ([...text].length > charactersMax) return `Use at most ${charactersMax} characters.`;
  if (/[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u.test(text)) return "Use letters and ordinary signs only.";
  if (holdsCardNumber(text)) return "Do not write a card number here.";
  return undefined;
}

/** All of it, or what is wrong with each field, in the order of the form. */
export function readCard(
  form: FormValues,
  rules: CardRules,
): { card: Card; network: CardNetwork } | { problems: readonly Problem[] } {
  const number = readNumber(form.number ?? "", rules);
  const expiry = readExpiry(form.expiry ?? "", rules);
  const cvv = readCvv(form.cvv ?? "");
  const holder = readHolder(form.holder ?? "");
  if ("value" in number && "value" in expiry && "value" in cvv && "value" in holder)
    return {
      network: number.value.network,
      card: {
        number: number.value.number,
        expiryMonth: expiry.value.month,
        expiryYear: expiry.value.year,
        cvv: cvv.value,
        holder: holder.value,
      },
    };
  // Such a card may have a longer code, or another one.
  const isNotTaken = "message" in number && NOT_TAKEN.has(number.message);
  return { problems: problemsOf({ number, expiry, ...(isNotTaken ? {} : { cvv }), holder }) };
}

export function problemsOf(
  fields: Readonly<Partial<Record<FieldName, Read<unknown>>>>,
): readonly Problem[] {
  return Object.entries(fields).flatMap(([field, read]) =>
    "message" in read ? [{ field: field as FieldName, message: read.message }] : [],
  );
}
