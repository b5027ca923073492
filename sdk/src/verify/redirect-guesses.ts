/**
 * The parameters of a redirect as they may have been before something happened to them. Each guess
 * is one thing undone; whether it was that is for the digest to say.
 */

import { type Guess, type Mistake, mistake } from "./explanation.ts";
import type { Pair } from "./form-text.ts";
import { PAYMENT_NAMES, queryOf, SIGNED_NAMES, valueIn } from "./redirect-parameters.ts";
import { decodedOnceMore, otherUnicodeForm, withoutWrongCharset } from "./text-guesses.ts";
import { twoDecimals } from "./total-guesses.ts";

export type Pairs = readonly Pair[];

const RAW = "Take the query as the browser sent it and let one parser decode it, once.";
export const NOT_DECODED = mistake(
  "plus_not_decoded",
  "A + that stands for a space was left as it is.",
  RAW,
);
export const BECAME_SPACE = mistake(
  "plus_became_space",
  "A + was turned into a space: it was decoded twice.",
  RAW,
);
const STATUSES = ["success", "failed", "error"];

/** What you know for sure, such as the record of `GET /transactions/{id}`. */
export type KnownValues = Readonly<Record<string, string>>;

export function pairGuesses(pairs: Pairs, known: KnownValues = {}): Guess<Pairs>[] {
  return [
    { value: pairs },
    ...wholeQuery(pairs),
    ...repeated(pairs),
    ...everyValue(pairs),
    ...totals(pairs),
    ...dropped(pairs),
    ...knownValues(pairs, known),
    ...edges(pairs),
    ...added(pairs),
    ...statuses(pairs),
  ];
}

export function withValue(pairs: Pairs, name: string, value: string): Pairs {
  if (valueIn(pairs, name) === undefined) return [...pairs, [name, value]];
  return pairs.map(([each, old]) => [each, each === name ? value : old]);
}

export function changed(name: string, was: string, is: string): Mistake {
  const says = `${name} was "${was}" when it was signed, and here it is "${is}".`;
  const instead = `Find out who changed ${name} in transit, and do not deliver for this result.`;
  return mistake("parameter_changed", says, instead);
}

/** A value put in the place of another one, or of none. */
function put(pairs: Pairs, name: string, was: string): Guess<Pairs> {
  const is = valueIn(pairs, name);
  const value = withValue(pairs, name, was);
  if (is !== undefined) return { value, mistake: changed(name, was, is) };
  const says = `${name} is missing: it was "${was}" when it was signed.`;
  const instead = `Hand over every parameter of the query, ${name} too.`;
  return { value, mistake: mistake("parameter_missing", says, instead) };
}

/** Each value put through the same undoing, when it does anything. */
function eachValue(
  pairs: Pairs,
  undo: (value: string, name: string) => string | undefined,
  of: Mistake,
): Guess<Pairs>[] {
  const value = pairs.map(([name, old]): Pair => [name, undo(old, name) ?? old]);
  return value.some(([, each], at) => each !== pairs[at]?.[1]) ? [{ value, mistake: of }] : [];
}

function everyValue(pairs: Pairs): Guess<Pairs>[] {
  return [
    ...eachValue(
      pairs,
      decodedOnceMore,
      mistake("doubly_encoded", "The query was URL-encoded twice.", RAW),
    ),
    ...eachValue(pairs, (value) => value.replaceAll("+", " "), NOT_DECODED),
    ...eachValue(pairs, (value) => value.replaceAll(" ", "+"), BECAME_SPACE),
    ...eachValue(
      pairs,
      withoutWrongCharset,
      mistake("wrong_charset", "The UTF-8 of a value was read as Latin-1.", RAW),
    ),
    ...eachValue(
      pairs,
      otherUnicodeForm,
      mistake("unicode_normalised", "Accents were composed or taken apart (NFC, NFD).", RAW),
    ),
    ...eachValue(
      pairs,
      (value) => value.replace(/\\(["'\\])/g, "$1"),
      mistake("slashes_added", "Quotes were given backslashes.", RAW),
    ),
    ...eachValue(
      pairs,
      (value, name) => (name === "date" ? isoDate(value) : undefined),
      mistake("date_rewritten", "The date was parsed and written in another form.", RAW),
    ),
  ];
}

function isoDate(text: string): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** `&amp;` from a page or a mail, or a query that is one single value. */
function wholeQuery(pairs: Pairs): Guess<Pairs>[] {
  const escaped = pairs.map(([name, value]): Pair => [name.replace(/^(amp;)+/, ""), value]);
  const isEscaped = escaped.some(([name], at) => name !== pairs[at]?.[0]);
  const [[only = "", rest = ""] = []] = pairs;
  const isOne = pairs.length <= 2 && /signature=/.test(only + rest);
  const inner = [...new URLSearchParams(queryOf(rest === "" ? only : rest || only))];
  const twice = mistake("doubly_encoded", "The whole query was URL-encoded once more.", RAW);
  const amp = mistake(
    "ampersand_escaped",
    "The & between parameters were written as &amp;, as in the text of a page.",
    "Take the address from the request, not from a page, a log or a mail.",
  );
  return [
    ...(isEscaped ? [{ value: escaped, mistake: amp }] : []),
    ...(isOne ? [{ value: inner, mistake: twice }] : []),
  ];
}

function repeated(pairs: Pairs): Guess<Pairs>[] {
  const names = pairs.map(([name]) => name);
  const twice = [...new Set(names)].filter(
    (name) => SIGNED_NAMES.has(name) && names.indexOf(name) !== names.lastIndexOf(name),
  );
  return twice.flatMap((name) => {
    const one = (keep: number) => pairs.filter(([each], at) => each !== name || at === keep);
    return [names.indexOf(name), names.lastIndexOf(name)].map((keep) => ({
      value: one(keep),
      mistake: repeatedMistake(name),
    }));
  });
}

export function repeatedMistake(name: string): Mistake {
  const says = `${name} is there more than once; we send each name once.`;
  return mistake("parameter_repeated", says, `Refuse it: somebody added a second ${name}.`);
}

function totals(pairs: Pairs): Guess<Pairs>[] {
  const total = valueIn(pairs, "total");
  const written = total === undefined ? undefined : twoDecimals(total);
  if (total === undefined || written === undefined || written === total) return [];
  const says = `The total was signed as ${written}, and here it is written ${total}.`;
  const instead = "Keep the total as the text it came as: as a number it loses its two decimals.";
  const of = mistake("total_rewritten", says, instead);
  return [{ value: withValue(pairs, "total", written), mistake: of }];
}

/** Many frameworks take an empty parameter for none. */
function dropped(pairs: Pairs): Guess<Pairs>[] {
  const absent = PAYMENT_NAMES.filter((name) => valueIn(pairs, name) === undefined);
  const lists = [absent, ...absent.map((name) => [name])].filter((names) => names.length > 0);
  return lists.map((names) => ({
    value: names.reduce((all, name) => withValue(all, name, ""), pairs),
    mistake: mistake(
      "empty_parameter_dropped",
      `${names.join(" and ")} came empty and was left out.`,
      "Sign empty parameters too, as name= with nothing behind it.",
    ),
  }));
}

function knownValues(pairs: Pairs, known: KnownValues): Guess<Pairs>[] {
  return Object.entries(known)
    .filter(([name, was]) => SIGNED_NAMES.has(name) && valueIn(pairs, name) !== was)
    .map(([name, was]) => put(pairs, name, was));
}

/** White space at the edges is part of a value, and so is the size of letters. */
function edges(pairs: Pairs): Guess<Pairs>[] {
  const instead = "Hand values over as they are, without trimming them.";
  const trimmed = mistake("value_trimmed", "White space at the edge of a value was lost.", instead);
  const padded = mistake("value_padded", "White space was added to a value.", instead);
  const says = "Capital letters were made small, or small ones capital.";
  const cased = mistake("case_changed", says, "Hand values over as they are.");
  return [
    ...eachValue(pairs, (value) => value.trim(), padded),
    ...["data", "message", "order_id"].flatMap((name) =>
      [" ", "\n", "\r\n"].flatMap((edge) => {
        const value = valueIn(pairs, name) ?? "";
        const whole = [value + edge, edge + value];
        return whole.map((each) => ({ value: withValue(pairs, name, each), mistake: trimmed }));
      }),
    ),
    ...eachValue(
      pairs,
      (value, name) =>
        name === "transaction_id" || name === "currency"
          ? value.toUpperCase()
          : name === "status"
            ? value.toLowerCase()
            : undefined,
      cased,
    ),
  ];
}

function added(pairs: Pairs): Guess<Pairs>[] {
  const names = pairs.map(([name]) => name).filter((name) => SIGNED_NAMES.has(name));
  return names.map((name) => ({
    value: pairs.filter(([each]) => each !== name),
    mistake: mistake(
      "parameter_added",
      `${name} was not there when this was signed.`,
      `Refuse it: somebody added ${name}.`,
    ),
  }));
}

function statuses(pairs: Pairs): Guess<Pairs>[] {
  const is = valueIn(pairs, "status");
  return STATUSES.filter((was) => was !== is).map((was) => put(pairs, "status", was));
}
