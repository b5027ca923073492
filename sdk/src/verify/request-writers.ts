/**
 * How a program may have put the text together that it signed: in which order, and written how. The
 * first of each list is the right one.
 */

import { type Guess, mistake } from "./explanation.ts";
import { MISTAKEN_ENCODINGS, MORE_ENCODINGS } from "./form-mistakes.ts";
import { formText, sortedByName } from "./form-text.ts";
import type { RequestBody } from "./request-body.ts";
import type { Pairs } from "./request-guesses.ts";

export type Order = (pairs: Pairs) => Pairs;
export type Writer = (pairs: Pairs) => string;

export const THE_RULE =
  "Sort all fields but signature by name, and encode them as a form: " +
  "new URLSearchParams(sorted).toString().";

const small = (text: string) => text.toLowerCase();

export const ORDERS: readonly Guess<Order>[] = [
  { value: sortedByName },
  ordered("The fields were not sorted by their names.", (pairs) => pairs),
  ordered("The fields were sorted the other way round.", (pairs) => sortedByName(pairs).reverse()),
  ordered("The fields were sorted without a difference between A and a.", (pairs) =>
    [...pairs].sort(([one], [other]) => (small(one) < small(other) ? -1 : 1)),
  ),
];

function ordered(says: string, value: Order): Guess<Order> {
  return { value, mistake: mistake("field_order", says, THE_RULE) };
}

export function writerGuesses(body: RequestBody): Guess<Writer>[] {
  const encodings = [...MISTAKEN_ENCODINGS, ...MORE_ENCODINGS];
  return [
    { value: formText },
    ...encodings.map(({ code, says, write }) => ({
      value: write,
      mistake: mistake(code, says, THE_RULE),
    })),
    ...jsonWriters(body),
  ];
}

/** The text of the JSON itself, sorted or not, as the usual languages write it. */
function jsonWriters({ values }: RequestBody): Guess<Writer>[] {
  const says = "The text of the JSON was signed: the signature covers the fields, as a form.";
  const of = mistake("json_signed", says, THE_RULE);
  const sent = [...values.keys()];
  const asSent: Order = (pairs) =>
    [...pairs].sort(([one], [other]) => sent.indexOf(one) - sent.indexOf(other));
  const objectOf = (pairs: Pairs) =>
    Object.fromEntries(pairs.map(([name, text]) => [name, values.get(name) ?? text]));
  return [asSent, sortedByName].flatMap((order) =>
    JSON_WRITERS.map((write) => ({
      value: (pairs: Pairs) => write(objectOf(order(pairs))),
      mistake: of,
    })),
  );
}

type Fields = Readonly<Record<string, unknown>>;

const JSON_WRITERS: readonly ((fields: Fields) => string)[] = [
  (fields) => JSON.stringify(fields),
  (fields) => JSON.stringify(fields).replaceAll("/", "\\/"),
  (fields) => escaped(JSON.stringify(fields).replaceAll("/", "\\/")),
  (fields) => spaced(fields),
  (fields) => escaped(spaced(fields)),
  (fields) => JSON.stringify(fields, null, 2),
  (fields) => JSON.stringify(fields, null, 4),
];

/** As Python does: a space behind each comma and colon. */
function spaced(fields: Fields): string {
  const members = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{${members.join(", ")}}`;
}

/** As PHP and Python do. */
function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
