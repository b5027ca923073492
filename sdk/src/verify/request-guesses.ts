/**
 * What the fields of a payment request may have been when a program signed them, where that is not
 * what it sent. Each guess is one usual slip; whether it was that is for the digest to say.
 */

import { type Guess, type Mistake, mistake } from "./explanation.ts";
import type { Pair } from "./form-text.ts";
import { REQUEST_NAMES } from "./names.ts";
import { valueIn } from "./redirect-parameters.ts";
import type { RequestBody } from "./request-body.ts";
import { decodedOnceMore, otherUnicodeForm } from "./text-guesses.ts";
import { twoDecimals } from "./total-guesses.ts";

export type Pairs = readonly Pair[];

const AS_SENT = "Sign the fields as they are sent: put the request together first, then sign it.";
const AS_TEXT = "Send it as text, and sign that same text.";

export function fieldGuesses(body: RequestBody): Guess<Pairs>[] {
  const { pairs } = body;
  return [
    { value: pairs },
    ...leftOut(pairs),
    ...signatureToo(pairs),
    ...numbers(body),
    ...totals(pairs),
    ...otherWords(body),
    ...texts(pairs),
    ...singles(pairs),
  ];
}

function guess(pairs: Pairs, value: Pairs, of: Mistake): Guess<Pairs>[] {
  const isSame =
    value.length === pairs.length && value.every(([, each], at) => each === pairs[at]?.[1]);
  return isSame ? [] : [{ value, mistake: of }];
}

function eachValue(
  pairs: Pairs,
  change: (value: string, name: string) => string | undefined,
  of: Mistake,
): Guess<Pairs>[] {
  const value = pairs.map(([name, old]): Pair => [name, change(old, name) ?? old]);
  return guess(pairs, value, of);
}

function leftOut(pairs: Pairs): Guess<Pairs>[] {
  const empty = mistake(
    "empty_field_dropped",
    "Empty fields were left out of what was signed.",
    "Sign empty fields too, as name= with nothing behind it, or do not send them.",
  );
  const unknown = mistake(
    "unknown_field_dropped",
    "Only fields of the interface were signed: the signature covers all that are sent.",
    "Sign every field of the body but signature, or do not send the others.",
  );
  return [
    ...guess(
      pairs,
      pairs.filter(([, value]) => value !== ""),
      empty,
    ),
    ...guess(
      pairs,
      pairs.filter(([name]) => REQUEST_NAMES.has(name)),
      unknown,
    ),
  ];
}

function signatureToo(pairs: Pairs): Guess<Pairs>[] {
  const says = "An empty signature field was signed as well; the signature does not cover itself.";
  const of = mistake("signature_signed_too", says, "Sign first, and then add the signature.");
  return [{ value: [...pairs, ["signature", ""]], mistake: of }];
}

/** JSON keeps a number, not how it was written. */
function numbers({ pairs, literals }: RequestBody): Guess<Pairs>[] {
  const differ = [...literals].filter(([name, literal]) => valueIn(pairs, name) !== literal);
  const list = differ.map(([name, literal]) => `${name} ${literal}`).join(" and ");
  const says =
    `${list} was signed as it is written in the JSON. It is a number, and is signed as ` +
    "JavaScript prints it.";
  const of = mistake("number_rewritten", says, AS_TEXT);
  return eachValue(pairs, (_, name) => literals.get(name), of);
}

function totals(pairs: Pairs): Guess<Pairs>[] {
  const total = valueIn(pairs, "total");
  const written = total === undefined ? undefined : twoDecimals(total);
  if (total === undefined || written === undefined) return [];
  const bare = written.replace(/\.00$/, "");
  const spellings = [written, bare, written.replace(/0$/, ""), withThousands(written)];
  return [...new Set(spellings)].flatMap((signed) => {
    const says = `The total was signed as ${signed}, and sent as ${total}.`;
    const of = mistake("total_rewritten", says, AS_TEXT);
    return eachValue(pairs, (_, name) => (name === "total" ? signed : undefined), of);
  });
}

function withThousands(total: string): string {
  return total.replace(/\B(?=(\d{3})+\.)/g, ",");
}

/** Other languages print these otherwise than JavaScript. */
function otherWords({ pairs, values }: RequestBody): Guess<Pairs>[] {
  const words: [yes: string, no: string][] = [
    ["True", "False"],
    ["1", "0"],
    ["1", ""],
  ];
  const says = (yes: string, no: string) =>
    `A boolean was signed as "${yes}" or "${no}": it is signed as true or false.`;
  const booleans = words.flatMap(([yes, no]) =>
    eachValue(
      pairs,
      (_, name) => ({ true: yes, false: no })[String(values.get(name))],
      mistake("boolean_rewritten", says(yes, no), AS_TEXT),
    ),
  );
  const nulls = ["null", "None"].flatMap((word) =>
    eachValue(
      pairs,
      (_, name) => (values.get(name) === null ? word : undefined),
      mistake("null_rewritten", `null was signed as "${word}": it is signed as empty.`, AS_TEXT),
    ),
  );
  return [...booleans, ...nulls];
}

function texts(pairs: Pairs): Guess<Pairs>[] {
  const of = (code: string, says: string) => mistake(code, says, AS_SENT);
  return [
    ...eachValue(
      pairs,
      (value) => encodeURIComponent(value),
      of("doubly_encoded", "The values were URL-encoded before they were written as a form."),
    ),
    ...eachValue(
      pairs,
      (value) => new URLSearchParams({ "": value }).toString().slice(1),
      of("doubly_encoded", "The values were form-encoded before they were written as a form."),
    ),
    ...eachValue(
      pairs,
      decodedOnceMore,
      of("doubly_encoded", "The values were sent URL-encoded once more than they were signed."),
    ),
    ...eachValue(
      pairs,
      (value) => value.replaceAll("+", " "),
      of("plus_became_space", "A + was signed as a space."),
    ),
    ...eachValue(
      pairs,
      (value) => value.replaceAll(" ", "+"),
      of("plus_became_space", "A space was signed as a +: one of them was decoded twice."),
    ),
    ...eachValue(
      pairs,
      (value) => value.trim(),
      of("value_trimmed", "White space at the ends of a value was signed as if it were not there."),
    ),
    ...eachValue(
      pairs,
      (value) => value.replaceAll("\r\n", "\n"),
      of("line_ends", "Line ends were signed as LF and sent as CR LF, as browsers do."),
    ),
    ...eachValue(
      pairs,
      otherUnicodeForm,
      of("unicode_normalised", "Accents were composed or taken apart (NFC, NFD)."),
    ),
  ];
}

function singles(pairs: Pairs): Guess<Pairs>[] {
  return pairs.map(([left]) => ({
    value: pairs.filter(([name]) => name !== left),
    mistake: mistake(
      "field_left_out",
      `${left} was not signed: it was added afterwards, or left out.`,
      AS_SENT,
    ),
  }));
}
