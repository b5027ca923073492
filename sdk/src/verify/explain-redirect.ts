/**
 * Says whether a redirect verifies and, if not, why: rebuilds the text step by step, tries the
 * usual mistakes by computing each, and shows the first byte that differs (Decision 0054).
 *
 * Without a signature that was checked nothing verifies. The hash covers
 * neither the status nor the order nor the currency, so one that fits proves too little.
 *
 * It runs where the key is, in a terminal, a test or a browser, and sends nothing anywhere. For a
 * shop's server there is `verifyRedirect`.
 */

import { explainHash } from "./explain-hash.ts";
import { explainSignature, type RedirectFacts, type Verdict } from "./explain-signature.ts";
import { type Explanation, type Mistake, mistake, NOT_FOUND, summaryOf } from "./explanation.ts";
import type { Tries } from "./find-fit.ts";
import type { KeysGiven } from "./key-guesses.ts";
import { explainOwnHash, explainOwnSignature } from "./own-redirect.ts";
import { type Pairs, repeatedMistake } from "./redirect-guesses.ts";
import {
  type RedirectInput,
  readPairs,
  repeatedName,
  signedPairs,
  valueIn,
} from "./redirect-parameters.ts";

const NOTHING: Verdict = { fits: undefined, mistakes: [], notes: [], steps: [] };

export async function explainRedirect(
  redirect: RedirectInput,
  facts: RedirectFacts,
): Promise<Explanation> {
  const pairs = readPairs(redirect);
  const tries = { count: 0 };
  const id = valueIn(pairs, "transaction_id") ?? "";
  const keys: KeysGiven = { ...facts, environment: id.startsWith("SB-") ? "sandbox" : "live" };
  const signature = await explainSignature(pairs, facts, keys, tries);
  const hash = await judgeHash(pairs, facts, keys, tries);
  const verdicts = [signature, hash].filter(({ fits }) => fits !== undefined);
  const isFitting = verdicts.length > 0 && verdicts.every(({ fits }) => fits);
  const refused = isFitting ? [...repeatedNames(pairs), ...unproven(signature)] : [];
  const isRight = isFitting && refused.length === 0;
  const own = isFitting ? await judgeOwn(pairs, facts, tries) : [];
  // A status that was changed explains the hash that came with it.
  const more = hash.mistakes.filter(
    (each) => each !== HASH_ON_FAILURE || signature.mistakes.length === 0,
  );
  const found = unique([...signature.mistakes, ...more, ...refused, ...own]);
  const mistakes = isRight || found.length > 0 ? found : [unknown(keys, verdicts.length > 0)];
  return {
    verified: isRight,
    summary: summaryOf(isRight ? [] : mistakes, own),
    mistakes,
    notes: [
      ...unpaid(pairs),
      ...signature.notes,
      ...hash.notes,
      ...cross(signature, hash),
      ...extras(pairs),
    ],
    steps: [...signature.steps, ...hash.steps],
    tried: tries.count,
  };
}

/** That it verifies is said in green, and a shop may read no further. */
function unpaid(pairs: Pairs): string[] {
  const status = valueIn(pairs, "status") ?? "";
  return status === "success" ? [] : [`Its status is "${status}": nothing was paid.`];
}

async function judgeHash(
  pairs: Pairs,
  facts: RedirectFacts,
  keys: KeysGiven,
  tries: Tries,
): Promise<Verdict> {
  const hash = valueIn(pairs, "hash");
  if (hash !== undefined && valueIn(pairs, "status") !== "success")
    return { ...NOTHING, fits: false, mistakes: [HASH_ON_FAILURE] };
  if (facts.hashKey === undefined || facts.hashKey === "") return NOTHING;
  if (hash === undefined) {
    const isOwed =
      valueIn(pairs, "status") === "success" && valueIn(pairs, "order_id") !== undefined;
    return isOwed ? { ...NOTHING, fits: false, mistakes: [HASH_MISSING] } : NOTHING;
  }
  const transactionId = valueIn(pairs, "transaction_id") ?? "";
  const paidTotal = valueIn(pairs, "total") ?? "";
  const { requestedTotal } = facts;
  return explainHash({ transactionId, hash, requestedTotal, paidTotal, keys }, tries);
}

async function judgeOwn(pairs: Pairs, facts: RedirectFacts, tries: Tries): Promise<Mistake[]> {
  const { own, signingSecret, hashKey, requestedTotal } = facts;
  if (own === undefined) return [];
  const signature =
    signingSecret === undefined
      ? undefined
      : await explainOwnSignature(pairs, signingSecret, own, tries);
  const canHash = own.hash !== undefined && hashKey !== undefined && requestedTotal !== undefined;
  const hash = canHash
    ? explainOwnHash(pairs, { hashKey, requestedTotal, signingSecret }, own.hash ?? "")
    : undefined;
  return [signature, hash].filter((each) => each !== undefined);
}

const HASH_ON_FAILURE = mistake(
  "hash_on_failure",
  "It is no success and has a hash: only a success carries one.",
  "Refuse it: somebody put it together.",
);
const HASH_MISSING = mistake(
  "hash_missing",
  "A success of a payment carries a hash, and here is none.",
  "Hand over every parameter of the query, hash too.",
);

/** As the strict one refuses them: parsers differ in which of two they believe. */
function repeatedNames(pairs: Pairs): Mistake[] {
  const name = repeatedName(pairs);
  return name === undefined ? [] : [repeatedMistake(name)];
}

function unproven({ fits }: Verdict): Mistake[] {
  const says = "Only the hash was checked: it covers neither status nor order nor currency.";
  const instead = "Give the signing secret, and believe the signature.";
  return fits === undefined ? [mistake("signature_not_checked", says, instead)] : [];
}

function unknown({ environment }: KeysGiven, hadKey: boolean): Mistake {
  if (!hadKey)
    return mistake("key_missing", "There is no key to check it with.", "Give the signing secret.");
  const says =
    "Either the key is another one, or a parameter was changed by more than a character.";
  const instead =
    `The result is of ${environment}, by its transaction id: read that environment's keys at ` +
    `GET /user/payment-key?environment=${environment}, and compare the parameters with ` +
    "GET /transactions/{id}.";
  return mistake(NOT_FOUND, says, instead);
}

/** What one of them says about the other. */
function cross(signature: Verdict, hash: Verdict): string[] {
  if (signature.fits !== true && hash.fits === true)
    return ["The hash fits: transaction_id and the hash key are right."];
  if (signature.fits === true && hash.fits === false)
    return ["The signature fits: nothing was changed on the way. Look at the hash key and total."];
  return [];
}

function extras(pairs: Pairs): string[] {
  const ours = new Set(signedPairs(pairs).map(([name]) => name));
  const theirs = pairs
    .map(([name]) => name)
    .filter((name) => !ours.has(name) && name !== "hash" && name !== "signature");
  return theirs.length === 0 ? [] : [`Not signed, because not ours: ${theirs.join(", ")}.`];
}

function unique(mistakes: readonly Mistake[]): Mistake[] {
  return mistakes.filter(({ code }, at) => mistakes.findIndex((each) => each.code === code) === at);
}
