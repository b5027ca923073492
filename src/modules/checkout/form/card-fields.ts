/**
 * Reads the card of a submitted form: the number as people type it, its network, the expiry, the
 * security code and the name (Decision 0040). Pure, and judged field by field, so that the page can
 * say at each one what is wrong with it.
 *
 * A problem never repeats what was typed. Only the digits 0 to 9 are digits here; those of other
 * scripts look alike to a person and not to a card network.
 */

import {
  type CardNetwork,
  NETWORK_NAMES,
  networkOf,
  passesLuhn,
} from "../../../kit/card-network.ts";
import { addSeconds, HOUR_SECONDS } from "../../../kit/clock.ts";
import { holdsCardNumber } from "../../../kit/fields/card-number-inside.ts";
import type { CardFormWords } from "../../../words/card-form/en.ts";
import type { Card } from "../../gateway/port.ts";
import { isSandboxCard } from "../../gateway/sandbox/cards.ts";
import type { FieldName, FormValues } from "./form-values.ts";

export interface CardRules {
  /** The only network that the merchant takes for this order. */
  readonly only: CardNetwork | undefined;
  readonly isAvs: boolean;
  /** Now, by the database's clock. */
  readonly at: Date;
  /** Whether the gateway behind is the simulator, which knows the sandbox's cards. */
  readonly takesSandboxCards: boolean;
  /** In which the customer reads what is wrong. */
  readonly words: CardFormWords;
}

export type InWords = Pick<CardRules, "words">;

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
  const { number: words } = rules.words;
  if (text === "") return { message: words.missing };
  if (!NUMBER.test(text)) return { message: words.notDigits };
  const number = digitsOf(text);
  const network = networkOf(number);
  if (network === undefined) return { message: words[AMEX.test(number) ? "amex" : "notTaken"] };
  const wrong = { message: words.notValid };
  if (!LENGTHS[network].includes(number.length)) return wrong;
  const isListed = isSandboxCard(number);
  if (isListed && !rules.takesSandboxCards) return { message: words.testCard };
  if (!isListed && !passesLuhn(number)) return wrong;
  if (rules.only !== undefined && network !== rules.only) {
    const [given, wanted] = [NETWORK_NAMES[network], NETWORK_NAMES[rules.only]];
    return { message: words.otherNetwork({ given, wanted }) };
  }
  return { value: { number, network } };
}

export function readExpiry(
  typed: string,
  { at, words: { expiry: words } }: CardRules,
): Read<{ month: number; year: number }> {
  const text = typed.trim();
  if (text === "") return { message: words.missing };
  const match = EXPIRY.exec(text);
  if (match === null) return { message: words.wrong };
  const month = Number(match[1] ?? match[3]);
  const year = 2000 + Number(match[2] ?? match[4]);
  if (hasExpired({ month, year }, at)) return { message: words.over };
  if (year > expiryBounds(at).lastYear) return { message: words.tooFar };
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

export function readCvv(typed: string, { words: { cvv } }: InWords): Read<string> {
  const text = typed.trim();
  if (text === "") return { message: cvv.missing };
  if (!CVV.test(text)) return { message: cvv.wrong };
  return { value: text };
}

export function readHolder(typed: string, { words }: InWords): Read<string> {
  const text = typed.trim().replace(/\s+/g, " ");
  if (text === "") return { message: words.holder.missing };
  const problem = lineProblem(text, HOLDER_MAX, words);
  return problem === undefined ? { value: text } : { message: problem };
}

/** What is wrong with a line of words; a card number in it goes nowhere. */
export function lineProblem(
  text: string,
  charactersMax: number,
  { line }: CardFormWords,
): string | undefined {
  if ([...text].length > charactersMax) return line.tooLong(charactersMax);
  if (/[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u.test(text)) return line.signs;
  if (holdsCardNumber(text)) return line.cardNumber;
  return undefined;
}

/** A number of a network that we do not take. */
function isOfOtherNetwork(typed: string): boolean {
  const text = typed.trim();
  return NUMBER.test(text) && networkOf(digitsOf(text)) === undefined;
}

function digitsOf(number: string): string {
  return number.replace(/[ -]/g, "");
}

/** All of it, or what is wrong with each field, in the order of the form. */
export function readCard(
  form: FormValues,
  rules: CardRules,
): { card: Card; network: CardNetwork } | { problems: readonly Problem[] } {
  const number = readNumber(form.number ?? "", rules);
  const expiry = readExpiry(form.expiry ?? "", rules);
  const cvv = readCvv(form.cvv ?? "", rules);
  const holder = readHolder(form.holder ?? "", rules);
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
  const isNotTaken = isOfOtherNetwork(form.number ?? "");
  return { problems: problemsOf({ number, expiry, ...(isNotTaken ? {} : { cvv }), holder }) };
}

export function problemsOf(
  fields: Readonly<Partial<Record<FieldName, Read<unknown>>>>,
): readonly Problem[] {
  return Object.entries(fields).flatMap(([field, read]) =>
    "message" in read ? [{ field: field as FieldName, message: read.message }] : [],
  );
}
