/**
 * The sandbox's cards as data: what each number makes the simulated acquirer do (Decision 0038).
 *
 * A listed number need not pass Luhn; any other number that passes is approved. `docs/sandbox.md`
 * shows this table, and a test compares the two. All begin with one of three sets of twelve digits,
 * which the log hides (`kit/card-number.ts`).
 */

import { passesLuhn } from "../../../kit/card-network.ts";
import type { Checks } from "../port.ts";

/** Without the options the answer comes at once. */
export interface Behaviour extends Checks {
  /** The final answer of the card's bank; "00" approves. */
  readonly code: Code;
  /** "asked": the customer answers the bank's question. "silent": the page has no answer. */
  readonly challenge?: "asked" | "silent";
  /** The sale is decided at once, the answer takes this long. */
  readonly slowSeconds?: number;
  /** The answer is lost, and for this long the acquirer has no outcome. */
  readonly unknownSeconds?: number;
  /** No order arrives for this long after the first call. */
  readonly downSeconds?: number;
}

/** The message of each code. */
export const MESSAGES = {
  "00": "Transaction is approved.",
  "05": "Transaction is declined.",
  "14": "The card number is not valid.",
  "3D": "The card's bank did not confirm the payment.",
  "41": "The card was reported lost.",
  "43": "The card was reported stolen.",
  "51": "There is not enough money on the card.",
  "54": "The card has expired.",
  "61": "The amount is above the card's limit.",
  "91": "The card's bank cannot be reached.",
  "98": "The card network did not answer in time.",
  N7: "The security code of the card is wrong.",
} as const;

export type Code = keyof typeof MESSAGES;

/** Any code can be asked for by a simulation (Decision 0102). */
export function messageOf(code: string): string {
  return MESSAGES[code as Code] ?? MESSAGES["05"];
}

const SLOW_SECONDS = 3;
const UNKNOWN_SECONDS = 5;
/** Longer than any session lasts. */
const LATE_SECONDS = 600;
const DOWN_SECONDS = 20;

const VISA = "411111111111";
const MASTERCARD = "511111111111";

/** The number, or the ending of a Visa and a Mastercard; what it says; what differs from "00". */
const TABLE: readonly (readonly [number: string, about: string, does: Partial<Behaviour>])[] = [
  ["1111", "Approved", {}],
  ["4444", "Approved, AVS M: street and postal code fit", { avs: "M" }],
  ["5555", "Approved, AVS A: only the street fits", { avs: "A" }],
  ["6666", "Approved, AVS Z: only the postal code fits", { avs: "Z" }],
  ["7777", "Approved, AVS N: neither fits", { avs: "N" }],
  ["8888", "Approved, AVS G: the bank does not take part", { avs: "G" }],
  ["3333", "Declined, 05", { code: "05" }],
  ["4666666666662222", "Declined, N7: the security code is wrong", { code: "N7", cvv: "N" }],
  ["9999", "Declined, 98: the card network did not answer in time", { code: "98" }],
  ["0000", "Declined, 91: the card's bank cannot be reached", { code: "91" }],
  [
    "2010",
    "3-D Secure: the bank asks, and you pass or refuse (refused: declined, 3D)",
    { challenge: "asked" },
  ],
  ["2020", "3-D Secure: the bank's page never answers", { challenge: "silent" }],
  [
    "2030",
    `Approved, slowly: the answer takes ${SLOW_SECONDS} seconds`,
    { slowSeconds: SLOW_SECONDS },
  ],
  [
    "2040",
    `Unknown for ${UNKNOWN_SECONDS} seconds, then approved`,
    { unknownSeconds: UNKNOWN_SECONDS },
  ],
  [
    "2050",
    `Unknown for ${UNKNOWN_SECONDS} seconds, then declined, 05`,
    { code: "05", unknownSeconds: UNKNOWN_SECONDS },
  ],
  [
    "2060",
    "Unknown for 10 minutes, then approved: too late, so it is voided",
    { unknownSeconds: LATE_SECONDS },
  ],
  [
    "2070",
    `The gateway is down for ${DOWN_SECONDS} seconds and never sees the order`,
    { downSeconds: DOWN_SECONDS },
  ],
];

export const CARDS = TABLE.map(([number, about, does]) => ({
  numbers: number.length > 4 ? [number] : [VISA + number, MASTERCARD + number],
  about,
  does: { code: "00", ...does } as Behaviour,
}));

const byNumber = new Map(CARDS.flatMap(({ numbers, does }) => numbers.map((one) => [one, does])));

export function isSandboxCard(digits: string): boolean {
  return byNumber.has(digits);
}

export function behaviourOf(digits: string): Behaviour {
  return byNumber.get(digits) ?? { code: passesLuhn(digits) ? "00" : "14" };
}
