/**
 * How amounts, moments and numbers of things are written in each language (Decision 0095).
 *
 * The regions are those of our neighbours. es-419, Latin America, writes TTD 1,234.50 as the
 * Dominican Republic and Puerto Rico do; Spain would write 1234,50 TTD. fr-GP is Guadeloupe and
 * nl-SR Suriname. English is fixed: amounts and countries as in "en", the day before the month as
 * in en-GB. The currency is always its code, because all of ours are dollars.
 *
 * Making a formatter takes longer than using it a hundred times, so each is made once. Languages,
 * currencies and zones are few and ours.
 */

import type { Money } from "../kit/money.ts";
import type { Language } from "../kit/vocabulary.ts";

/** Something in each language. */
export type InLanguages<T> = Readonly<Record<Language, T>>;

export const LOCALE_TAGS: InLanguages<string> = {
  en: "en",
  es: "es-419",
  fr: "fr-GP",
  nl: "nl-SR",
};
const TIME_TAGS: InLanguages<string> = { ...LOCALE_TAGS, en: "en-GB" };

const MINOR_PER_UNIT = 100n;
const HYPHEN_MINUS = "-";
/** Screen readers say it, and no line breaks behind it. */
const MINUS = "\u2212";

const TIME_STYLES = {
  full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  /** Of this year. */
  recent: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  seconds: {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  date: { day: "numeric", month: "short", year: "numeric" },
  day: { day: "numeric", month: "short" },
  longDate: { dateStyle: "long" },
  clock: { timeStyle: "short" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export type TimeStyle = keyof typeof TIME_STYLES;

const amounts = new Map<string, Intl.NumberFormat>();
const times = new Map<string, Intl.DateTimeFormat>();
const plurals = new Map<Language, Intl.PluralRules>();

function cached<Key, Made>(made: Map<Key, Made>, key: Key, make: () => Made): Made {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/**
 * `TTD 1,234.50`, `1 234,50 TTD`: on one line, exact for any amount. The format gets whole units
 * and writes their decimals as zeros, in whose place the cents are put.
 */
export function moneyIn(language: Language, { currency, minor }: Money): string {
  const format = cached(amounts, `${language} ${currency}`, () => {
    const options = { style: "currency", currency, currencyDisplay: "code" } as const;
    return new Intl.NumberFormat(LOCALE_TAGS[language], options);
  });
  const units = minor / MINOR_PER_UNIT;
  const cents = String(minor % MINOR_PER_UNIT)
    .replace(HYPHEN_MINUS, "")
    .padStart(2, "0");
  const parts = format.formatToParts(units === 0n && minor < 0n ? -0 : units);
  return parts
    .map(({ type, value }) => (type === "fraction" ? cents : type === "minusSign" ? MINUS : value))
    .join("");
}

export function timeIn(
  language: Language,
  at: Date,
  { zone, style = "full" }: { readonly zone: string; readonly style?: TimeStyle | undefined },
): string {
  const format = cached(times, `${language} ${zone} ${style}`, () => {
    const options = { ...TIME_STYLES[style], timeZone: zone };
    return new Intl.DateTimeFormat(TIME_TAGS[language], options);
  });
  return format.format(at);
}

/**
 * As letters write it. A comma in every language: joined by `Intl`, Spanish would read "a las 1:05"
 * for "a la 1:05".
 */
export function longTimeIn(language: Language, at: Date, zone: string): string {
  const date = timeIn(language, at, { zone, style: "longDate" });
  const clock = timeIn(language, at, { zone, style: "clock" });
  return `${date}, ${clock}`;
}

interface Forms {
  readonly one: string;
  readonly other: string;
}

/** The form for so many: French has one for 0 as for 1. None of our counts reaches a million. */
export function plural(language: Language, count: number, { one, other }: Forms): string {
  const rules = cached(plurals, language, () => new Intl.PluralRules(LOCALE_TAGS[language]));
  return rules.select(count) === "one" ? one : other;
}
