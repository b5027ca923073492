/**
 * Why a card was not charged, by the code of the result, `[2-R51]`. The record says it in the
 * gateway's English words, which a page in another language cannot use (Decision 0095).
 *
 * A code that is not listed gets the plain sentence, as does a bank's reason that would accuse the
 * customer: lost, stolen, fraud.
 */

interface DeclineReasons {
  readonly declined: string;
  readonly noFunds: string;
  readonly limit: string;
  readonly expired: string;
  readonly securityCode: string;
  readonly notValid: string;
  readonly notUsable: string;
  readonly notConfirmed: string;
  readonly unreachable: string;
  readonly wentBack: string;
  /** Of a payment link. */
  readonly soldOut: string;
  readonly closed: string;
}

const CODES: readonly (readonly [reason: keyof DeclineReasons, codes: string])[] = [
  ["noFunds", "51"],
  ["limit", "61 65"],
  ["expired", "33 54"],
  ["securityCode", "82 N7"],
  ["notValid", "14 15 39 55 56 78"],
  ["notUsable", "13 30 40 57 58 62 93 97 R0 R1 R3 3D1 3D3"],
  ["notConfirmed", "12 3D"],
  ["unreachable", "19 90 91 92 98"],
  ["wentBack", "17"],
  ["soldOut", "95"],
  ["closed", "94"],
];

const reasons = new Map(
  CODES.flatMap(([reason, codes]) => codes.split(" ").map((code) => [code, reason])),
);

export function reasonBy(sentences: DeclineReasons) {
  return (code: string, _said: string) => sentences[reasons.get(code) ?? "declined"];
}

/** Nobody declined: the same card may go through in a moment. */
export function isUnreachable(code: string): boolean {
  return reasons.get(code) === "unreachable";
}

/** What is said of them in English, where the gateway's words say nothing, or would accuse. */
const REFUSALS = new Set(
  "01 02 04 05 07 34 36 38 41 42 43 44 52 53 59 63 67 75 83 86 N0 N3 N4 P2 P5 P6 XA XD".split(" "),
);
const SAYS_NOTHING = "Transaction is declined.";

export function englishReason(code: string, said: string): string {
  return REFUSALS.has(code) || said === SAYS_NOTHING
    ? "The card's bank did not approve the payment."
    : said;
}
