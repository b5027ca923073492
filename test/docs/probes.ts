/**
 * What the test does with the functions that a guide has the reader write: shows them a result that
 * was changed in transit, and one of another payment.
 */

import type { Language } from "./snippets.ts";

export interface Facts {
  /** Where the browser was sent with the result. */
  address: string;
  /** The same with another total. */
  changed: string;
  /** The same of another payment, for less, under the same order: as good as ours, and signed. */
  other: string;
}

/** `piece` is the one of the guide that checks a result. */
type Probe = (facts: Facts, piece: string) => string;

const inPhp = (text: string) => `base64_decode('${Buffer.from(text).toString("base64")}')`;
const inPython = (text: string) =>
  `__import__("base64").b64decode("${Buffer.from(text).toString("base64")}").decode()`;

/** Prints `refused` for each: the changed one, the other one, a signature that is no ASCII. */
export const CHANGED_RESULT: Readonly<Record<Exclude<Language, "sh">, Probe>> = {
  ts: (_facts, piece) => `
for (const given of [guide.facts.changed, guide.facts.other, guide.facts.other + "%C3%A9"])
  try {
    ${piece.replace("guide.facts.address", "given")}
    console.log("taken");
  } catch {
    console.log("refused");
  }`,
  php: ({ changed, other }) => `
foreach ([${inPhp(changed)}, ${inPhp(other)}, ${inPhp(`${other}%C3%A9`)}] as $each) {
    $said = verified($each, 'sandbox-signing-secret', $asked['transaction_id']);
    echo $said === null ? 'refused' : 'taken', ' ';
}`,
  python: ({ changed, other }) => `
for each in [${inPython(changed)}, ${inPython(other)}, ${inPython(`${other}%C3%A9`)}]:
    said = verified(each, "sandbox-signing-secret", asked["transaction_id"])
    print("taken" if said else "refused")`,
};
