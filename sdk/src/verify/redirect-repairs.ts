/**
 * What else a redirect may have been, when no single usual mistake explains it: too many to be
 * mixed with one another, so each is tried alone, nearest first.
 */

import { type Guess, mistake } from "./explanation.ts";
import { BECAME_SPACE, changed, NOT_DECODED, type Pairs, withValue } from "./redirect-guesses.ts";
import { SIGNED_NAMES, signedPairs, valueIn } from "./redirect-parameters.ts";
import { oneCharacterAway } from "./text-guesses.ts";
import { totalsAbove } from "./total-guesses.ts";

/** Values longer than this are not tried character by character. */
const REPAIRED_LENGTH_MAX = 64;
/** Of so many signs every choice is tried. */
const SIGNS_MAX = 12;

type Repair = Required<Guess<Pairs>>;

export function* repairsOf(pairs: Pairs): Generator<Repair> {
  yield* signs(pairs, " ", "+", BECAME_SPACE);
  yield* signs(pairs, "+", " ", NOT_DECODED);
  yield* paidTotals(pairs);
  yield* characters(pairs);
}

/** Some of a sign are what they were and some are not: any choice of them put back. */
function* signs(pairs: Pairs, from: string, to: string, of: Repair["mistake"]): Generator<Repair> {
  const places = pairs.flatMap(([name, value], pair) =>
    SIGNED_NAMES.has(name)
      ? [...value].flatMap((char, at) => (char === from ? [{ pair, at }] : []))
      : [],
  );
  if (places.length > SIGNS_MAX) return;
  for (let choice = 1; choice < 2 ** places.length; choice += 1) {
    const chosen = places.filter((_, bit) => choice & (1 << bit));
    const value = pairs.map(([name, old], pair) => {
      const chars = [...old];
      for (const each of chosen) if (each.pair === pair) chars[each.at] = to;
      return [name, chars.join("")] as const;
    });
    yield { value, mistake: of };
  }
}

function* paidTotals(pairs: Pairs): Generator<Repair> {
  const total = valueIn(pairs, "total");
  if (total === undefined) return;
  const instead = "Check the total of the redirect as it came: it is not the one you asked for.";
  for (const paid of totalsAbove(total)) {
    const says = `The total was signed as ${paid}, which the customer paid; here it is ${total}.`;
    const of = mistake("total_is_not_paid_one", says, instead);
    yield { value: withValue(pairs, "total", paid), mistake: of };
  }
}

function* characters(pairs: Pairs): Generator<Repair> {
  for (const [name, value] of signedPairs(pairs)) {
    if (value.length > REPAIRED_LENGTH_MAX) continue;
    for (const was of oneCharacterAway(value))
      yield { value: withValue(pairs, name, was), mistake: changed(name, was, value) };
  }
}
