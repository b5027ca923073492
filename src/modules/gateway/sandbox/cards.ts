/**
 * The sandbox's cards, as data: which number makes the simulated acquirer do what (Decision 0038).
 *
 * The rule that matters: a listed number need not pass Luhn; any other that does is approved.
 * `docs/sandbox.md` shows this table, and a test holds the two together. All begin with one
 * of three sets of twelve digits, which the log knows to hide (`kit/card-number.ts`).
 */

import { passesLuhn } from "../../../kit/card-network.ts";
import type { AvsAnswer, CvvAnswer } from "../gateway.ts";

/** What a card makes happen. Without more, the answer comes at once. */
export interface Behaviour {
  /** What the card's bank says in the end; "00" approves. */
  readonly code: Code;
  readonly avs?: AvsAnswer;
  readonly cvv?: CvvAnswer;
  /** The bank asks the customer first; a silent one shows its page and never answers. */
  readonly challenge?: "asked" | "silent";
  /** The work is done at once, the answer takes this long. */
  readonly slowSeconds?: number;
  /** The work is done, the answer is lost, and for this long the acquirer itself cannot tell. */
  readonly unknownSeconds?: number;
  /** Nothing arrives and nothing is answered for this long after the first call. */
  readonly downSeconds?: number;
}

export interface SandboxCard {
  readonly numbers: readonly string[];
  readonly about: string;
  readonly does: Behaviour;
}

/** What each code says to the customer. */
export const MESSAGES = {
  "00": "Transaction is approved.",
  "05": "Transaction is declined.",
  "14": "The card number is not valid.",
  "3D": "The card's bank did not confirm the payment.",
  "91": "The card's bank cannot be reached.",
  "98": "The card network did not answer in time.",
  N7: "The security code of the card is wrong.",
} as const;

export type Code = keyof typeof MESSAGES;

const VISA = "411111111111";
const MASTERCARD = "511111111111";
const both = (ending: string) => [VISA + ending, MASTERCARD + ending];
const approved = (more: Omit<Behaviour, "code"> = {}): Behaviour => ({ code: "00", ...more });

const SLOW_SECONDS = 3;
const UNKNOWN_SECONDS = 5;
/** Longer than any session lasts. */
const LATE_SECONDS = 600;
const DOWN_SECONDS = 20;

export const CARDS: readonly SandboxCard[] = [
  { numbers: both("1111"), about: "Approved", does: approved() },
  {
    numbers: both("4444"),
    about: "Approved, AVS M: street and postal code fit",
    does: approved({ avs: "M" }),
  },
  {
    numbers: both("5555"),
    about: "Approved, AVS A: only the street fits",
    does: approved({ avs: "A" }),
  },
  {
    numbers: both("6666"),
    about: "Approved, AVS Z: only the postal code fits",
    does: approved({ avs: "Z" }),
  },
  { numbers: both("7777"), about: "Approved, AVS N: neither fits", does: approved({ avs: "N" }) },
  {
    numbers: both("8888"),
    about: "Approved, AVS G: the bank does not take part",
    does: approved({ avs: "G" }),
  },
  { numbers: both("3333"), about: "Declined, 05", does: { code: "05" } },
  {
    numbers: ["4666666666662222"],
    about: "Declined, N7: the security code is wrong",
    does: { code: "N7", cvv: "N" },
  },
  {
    numbers: both("9999"),
    about: "Declined, 98: the card network did not answer in time",
    does: { code: "98" },
  },
  {
    numbers: both("0000"),
    about: "Declined, 91: the card's bank cannot be reached",
    does: { code: "91" },
  },
  {
    numbers: both("2010"),
    about: "3-D Secure: the bank asks, and you pass or refuse (refused: declined, 3D)",
    does: approved({ challenge: "asked" }),
  },
  {
    numbers: both("2020"),
    about: "3-D Secure: the bank's page never answers",
    does: approved({ challenge: "silent" }),
  },
  {
    numbers: both("2030"),
    about: `Approved, slowly: the answer takes ${SLOW_SECONDS} seconds`,
    does: approved({ slowSeconds: SLOW_SECONDS }),
  },
  {
    numbers: both("2040"),
    about: `Unknown for ${UNKNOWN_SECONDS} seconds, then approved`,
    does: approved({ unknownSeconds: UNKNOWN_SECONDS }),
  },
  {
    numbers: both("2050"),
    about: `Unknown for ${UNKNOWN_SECONDS} seconds, then declined, 05`,
    does: { code: "05", unknownSeconds: UNKNOWN_SECONDS },
  },
  {
    numbers: both("2060"),
    about: "Unknown for 10 minutes, then approved: too late, so it is voided",
    does: approved({ unknownSeconds: LATE_SECONDS }),
  },
  {
    numbers: both("2070"),
    about: `The gateway is down for ${DOWN_SECONDS} seconds and never sees the order`,
    does: approved({ downSeconds: DOWN_SECONDS }),
  },
];

const byNumber = new Map(CARDS.flatMap(({ numbers, does }) => numbers.map((one) => [one, does])));

export function isSandboxCard(digits: string): boolean {
  return byNumber.has(digits);
}

export function behaviourOf(digits: string): Behaviour {
  return byNumber.get(digits) ?? { code: passesLuhn(digits) ? "00" : "14" };
}
