/** Why the MD5 `hash` of a success does or does not fit: its total and its key are tried. */

import type { Verdict } from "./explain-signature.ts";
import { type Guess, type Mistake, mistake } from "./explanation.ts";
import { findFit, type Tries } from "./find-fit.ts";
import { hashKeyGuesses, type KeysGiven } from "./key-guesses.ts";
import { hashOf } from "./redirect-parameters.ts";
import { totalsBelow, twoDecimals } from "./total-guesses.ts";

export interface HashFacts {
  readonly transactionId: string;
  readonly hash: string;
  readonly requestedTotal: string | undefined;
  /** What the customer paid, as the redirect says. */
  readonly paidTotal: string;
  readonly keys: KeysGiven;
}

const AS_ASKED = "Hash the total that you asked for, as a text with two decimals: 10.00.";

export async function explainHash(facts: HashFacts, tries: Tries): Promise<Verdict> {
  const { requestedTotal, keys, transactionId } = facts;
  const total = requestedTotal ?? facts.paidTotal;
  const steps = [
    { title: "Text of the hash", text: `${transactionId}${total}‹hash key›` },
    { title: "Hash in the redirect", text: facts.hash },
  ];
  const fits = async (hashKey: string, each: string, hash: string) =>
    hashOf(transactionId, each, hashKey) === hash;
  const lists = [
    hashKeyGuesses(keys),
    totalGuesses(facts, total),
    hashGuesses(facts.hash),
  ] as const;
  const { length } = `${transactionId}${total}`;
  const fit = await findFit<[string, string, string]>(lists, fits, tries, length);
  if (fit === undefined) return { fits: false, mistakes: [], notes: [], steps };
  const [, found] = fit.values;
  if (requestedTotal !== undefined || fit.mistakes.some(({ code }) => code !== "total_is_paid_one"))
    return { fits: fit.mistakes.length === 0, mistakes: fit.mistakes, notes: [], steps };
  const note = `The hash fits when ${found} was asked for: see that it was.`;
  return { fits: true, mistakes: [], notes: [note], steps };
}

function totalGuesses({ paidTotal }: HashFacts, given: string): Guess<string>[] {
  const written = twoDecimals(given);
  const says = `The total was hashed as ${written}, not as ${given}.`;
  const rewritten = mistake("total_not_two_decimals", says, AS_ASKED);
  const isRewritten = written !== undefined && written !== given;
  // Found by trying each cent: nobody else knows here what was asked for.
  const below = [...totalsBelow(paidTotal)].map((value) => ({
    value,
    mistake: totalMistake(given, written === twoDecimals(paidTotal), value),
  }));
  return [
    { value: given },
    ...(isRewritten ? [{ value: written, mistake: rewritten }] : []),
    ...below,
  ];
}

function totalMistake(given: string, isPaid: boolean, asked: string): Mistake {
  if (isPaid) {
    const says = `${given} is what the customer paid; ${asked} was asked for, and is hashed.`;
    return mistake("total_is_paid_one", says, AS_ASKED);
  }
  const says = `The hash is of ${asked}, and you asked for ${given}.`;
  const instead = "Do not deliver: it is the result of another order, or the order was changed.";
  return mistake("other_total", says, instead);
}

function hashGuesses(hash: string): Guess<string>[] {
  const instead = "Compare with the hash in small letters.";
  const cased = mistake("hash_case", "The hash was written in capital letters.", instead);
  const small = hash.toLowerCase();
  return [{ value: hash }, ...(small === hash ? [] : [{ value: small, mistake: cased }])];
}
