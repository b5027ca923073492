/**
 * Why the `signature` of a redirect does or does not fit: keys, parameters and the digest's own form
 * are tried (Decision 0054), then totals near the one given, then whatever is a character away.
 */

import { toHex, utf8 } from "./bytes.ts";
import { describeSecret, type Hmac, hmacBy } from "./digests.ts";
import { type Guess, type Mistake, mistake, type Step } from "./explanation.ts";
import { findFit, type Tries } from "./find-fit.ts";
import { firstDifference } from "./first-difference.ts";
import { type KeysGiven, type OtherKeys, signingSecretGuesses } from "./key-guesses.ts";
import type { OwnRedirect } from "./own-redirect.ts";
import {
  changed,
  type KnownValues,
  type Pairs,
  pairGuesses,
  withValue,
} from "./redirect-guesses.ts";
import { PAYMENT_NAMES, signedPairs, signedText, valueIn } from "./redirect-parameters.ts";
import { oneCharacterAway } from "./text-guesses.ts";
import { totalsAbove } from "./total-guesses.ts";

export interface RedirectFacts {
  readonly signingSecret?: string;
  readonly hashKey?: string;
  /** What you asked for. */
  readonly requestedTotal?: string;
  /** Keys that may have been meant. */
  readonly others?: readonly OtherKeys[];
  /** What you know for sure, such as the record of `GET /transactions/{id}`. */
  readonly known?: KnownValues;
  /** What your own code computed. */
  readonly own?: OwnRedirect;
}

export interface Verdict {
  /** Undefined: there was nothing to check it with. */
  readonly fits: boolean | undefined;
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly string[];
  readonly steps: readonly Step[];
}

/** Values longer than this are not tried character by character. */
const REPAIRED_LENGTH_MAX = 64;
const REPAIRS_MAX = 40_000;

export async function explainSignature(
  pairs: Pairs,
  facts: RedirectFacts,
  keys: KeysGiven,
  tries: Tries,
): Promise<Verdict> {
  const { signingSecret } = facts;
  if (signingSecret === undefined || signingSecret === "")
    return { fits: undefined, mistakes: [], notes: [], steps: [] };
  const given = signatureOf(pairs);
  const macs = createMacs();
  const text = signedText(pairs);
  const expected = await macs(signingSecret, text);
  const steps = [
    { title: "Our parameters, sorted by name", text: linesOf(pairs) },
    { title: "Text that is signed", text },
    { title: "Signing secret", text: await describeSecret(signingSecret) },
    { title: "Signature computed", text: expected },
    { title: "Signature in the redirect", text: given ?? "none" },
  ];
  if (given === undefined)
    return { fits: false, mistakes: [signatureMissing(pairs)], notes: [], steps };
  const lists = [
    signingSecretGuesses(keys),
    pairGuesses(pairs, facts.known),
    signatureGuesses(given),
  ] as const;
  const fits = async (secret: string, each: Pairs, signature: string) =>
    (await macs(secret, signedText(each))) === signature;
  const fit = await findFit<[string, Pairs, string]>(lists, fits, tries);
  if (fit !== undefined) {
    const [, meant] = fit.values;
    const difference = firstDifference(signedText(meant), text);
    const told = fit.mistakes.map((each) => (difference ? { ...each, difference } : each));
    return { fits: told.length === 0, mistakes: told, notes: [], steps };
  }
  const repaired = await repair(
    pairs,
    (each) => macs(signingSecret, signedText(each)),
    given,
    tries,
  );
  const mistakes = repaired ?? missingNames(pairs);
  return { fits: false, mistakes, notes: [], steps };
}

/** Digests by keys that are imported once. */
function createMacs(): (secret: string, text: string) => Promise<string> {
  const known = new Map<string, Promise<Hmac>>();
  return async (secret, text) => {
    const hmac = known.get(secret) ?? hmacBy(utf8(secret));
    known.set(secret, hmac);
    return toHex(await (await hmac)(utf8(text)));
  };
}

/** The total that was paid, and then whatever is one character away. */
async function repair(
  pairs: Pairs,
  mac: (pairs: Pairs) => Promise<string>,
  given: string,
  tries: Tries,
): Promise<Mistake[] | undefined> {
  const total = valueIn(pairs, "total");
  for (const paid of total === undefined ? [] : totalsAbove(total)) {
    tries.count += 1;
    const meant = withValue(pairs, "total", paid);
    if ((await mac(meant)) === given) return [{ ...notPaid(paid, total), ...parted(meant, pairs) }];
  }
  let left = REPAIRS_MAX;
  for (const [name, value] of signedPairs(pairs)) {
    if (value.length > REPAIRED_LENGTH_MAX) continue;
    for (const was of oneCharacterAway(value)) {
      if (left === 0) return undefined;
      left -= 1;
      tries.count += 1;
      const meant = withValue(pairs, name, was);
      if ((await mac(meant)) === given)
        return [{ ...changed(name, was, value), ...parted(meant, pairs) }];
    }
  }
  return undefined;
}

function parted(meant: Pairs, pairs: Pairs): Pick<Mistake, "difference"> {
  const difference = firstDifference(signedText(meant), signedText(pairs));
  return difference === undefined ? {} : { difference };
}

function notPaid(paid: string, total = ""): Mistake {
  const says = `The total was signed as ${paid}, which the customer paid; here it is ${total}.`;
  const instead = "Check the total of the redirect as it came: it is not the one you asked for.";
  return mistake("total_is_not_paid_one", says, instead);
}

/** Under its own name, or with what a page put before it. */
function signatureOf(pairs: Pairs): string | undefined {
  const [, value] = pairs.find(([name]) => /^(amp;)*signature$/.test(name)) ?? [];
  const inside = /signature(?:=|%3D)([0-9a-f]{64})/i.exec(pairs.flat().join("&"));
  return value ?? inside?.[1];
}

function signatureGuesses(given: string): Guess<string>[] {
  const small = given.trim().toLowerCase();
  const instead = "Compare with the signature in hex, in small letters.";
  const cased = mistake("digest_form", "The signature was written in another form.", instead);
  return [{ value: given }, ...(small === given ? [] : [{ value: small, mistake: cased }])];
}

function linesOf(pairs: Pairs): string {
  return signedPairs(pairs)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");
}

function signatureMissing(pairs: Pairs): Mistake {
  if (valueIn(pairs, "reasonDescription") !== undefined) {
    const says = "It tells of a request that was refused before its merchant was known: unsigned.";
    return mistake("unsigned_refusal", says, "Believe nothing of it but that nothing was paid.");
  }
  const instead = "Hand over every parameter of the query, signature too.";
  return mistake("signature_missing", "There is no signature in it.", instead);
}

/** What cannot be computed anew can still be missed. */
function missingNames(pairs: Pairs): Mistake[] {
  const isPayment = ["currency", "date", "card", "order_id"].some((name) => valueIn(pairs, name));
  if (!isPayment || valueIn(pairs, "reasonDescription") !== undefined) return [];
  const absent = PAYMENT_NAMES.filter((name) => valueIn(pairs, name) === undefined);
  if (absent.length === 0) return [];
  const says = `${absent.join(" and ")} is missing: a payment's result always has it.`;
  const instead = "Hand over every parameter of the query.";
  return [mistake("parameter_missing", says, instead)];
}
