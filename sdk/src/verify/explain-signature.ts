/**
 * Why the `signature` of a redirect does or does not fit: keys, parameters and the digest's own
 * form are tried (Decision 0054), then totals near the one given, then whatever is a character
 * away.
 */

import { toHex, utf8 } from "./bytes.ts";
import { describeSecret, type Hmac, hmacBy } from "./digests.ts";
import { type Guess, type Mistake, mistake, type Step } from "./explanation.ts";
import { findFit, mostTries, type Tries } from "./find-fit.ts";
import { firstDifference } from "./first-difference.ts";
import { type KeysGiven, type OtherKeys, signingSecretGuesses } from "./key-guesses.ts";
import type { OwnRedirect } from "./own-redirect.ts";
import { type KnownValues, type Pairs, pairGuesses } from "./redirect-guesses.ts";
import { PAYMENT_NAMES, signedPairs, signedText, valueIn } from "./redirect-parameters.ts";
import { repairsOf } from "./redirect-repairs.ts";

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

/** A second or two of a slow phone. */
const REPAIRS_MAX = 40_000;
const AT_ONCE = 200;

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
  const fit = await findFit<[string, Pairs, string]>(lists, fits, tries, text.length);
  if (fit !== undefined) {
    const [, meant] = fit.values;
    const difference = firstDifference(signedText(meant), text);
    const told = fit.mistakes.map((each) => (difference ? { ...each, difference } : each));
    return { fits: told.length === 0, mistakes: told, notes: [], steps };
  }
  const missing = missingNames(pairs);
  if (missing.length > 0) return { fits: false, mistakes: missing, notes: [], steps };
  const mac = (each: Pairs) => macs(signingSecret, signedText(each));
  const repaired = await firstRepair(pairs, mac, given, tries);
  return { fits: false, mistakes: repaired === undefined ? [] : [repaired], notes: [], steps };
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

/** Many at a time: each digest is quick, and waiting for it is not. */
async function firstRepair(
  pairs: Pairs,
  mac: (pairs: Pairs) => Promise<string>,
  given: string,
  tries: Tries,
): Promise<Mistake | undefined> {
  const most = mostTries(signedText(pairs).length, REPAIRS_MAX);
  for (const batch of batches(repairsOf(pairs), AT_ONCE, most)) {
    tries.count += batch.length;
    const digests = await Promise.all(batch.map(({ value }) => mac(value)));
    const found = batch[digests.indexOf(given)];
    if (found === undefined) continue;
    const difference = firstDifference(signedText(found.value), signedText(pairs));
    return difference === undefined ? found.mistake : { ...found.mistake, difference };
  }
  return undefined;
}

function* batches<T>(all: Iterable<T>, size: number, max: number): Generator<T[]> {
  let batch: T[] = [];
  let left = max;
  for (const each of all) {
    if (left === 0) break;
    left -= 1;
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
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
  const [verb, it] = absent.length === 1 ? ["is", "it"] : ["are", "them"];
  const says = `${absent.join(", ")} ${verb} missing: a payment's result always has ${it}.`;
  const instead = "Pass the whole address, with everything after the question mark.";
  return [mistake("parameter_missing", says, instead)];
}
