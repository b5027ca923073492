/**
 * The acquirer's test cards: what 3-D Secure makes of each, and what its bank answers. A number
 * that is not listed is authenticated without a challenge, then approved when it passes Luhn and
 * declined with 14 when it does not.
 */

export type Brand = "Visa" | "MasterCard" | "Amex" | "Discover" | "JCB";

/** `none`: the card takes no part in 3-D Secure. */
export type AuthenticationStatus = "Y" | "A" | "N" | "R" | "U" | "none";

export interface TestCard {
  readonly numbers: readonly string[];
  readonly fingerprint?: true;
  /** The bank asks for the password; the status is then the answer to the right one. */
  readonly challenge?: true;
  readonly status: AuthenticationStatus;
  readonly code: string;
  readonly cvv?: "N";
}

export const CHALLENGE_PASSWORD = "3ds2";

export const CARDS: readonly TestCard[] = [
  {
    numbers: ["4012000000020071", "5100270000000023", "341111000000009"],
    status: "Y",
    code: "00",
  },
  { numbers: ["4012000000020089", "341111000000011"], status: "A", code: "00" },
  {
    numbers: ["4012000000020006", "5100270000000031", "341111000000037"],
    challenge: true,
    status: "Y",
    code: "00",
  },
  {
    numbers: ["4012010000020070", "5100271000000120", "341112000008012"],
    fingerprint: true,
    status: "Y",
    code: "00",
  },
  { numbers: ["4012010000020088"], fingerprint: true, status: "A", code: "00" },
  {
    numbers: ["4012010000020005", "341112000000001"],
    fingerprint: true,
    challenge: true,
    status: "Y",
    code: "00",
  },
  {
    numbers: [
      "4333333333332222",
      "5333333333332222",
      "343333333333335",
      "6011111111111111",
      "3528111111111108",
      "5115010000000001",
    ],
    status: "none",
    code: "00",
  },
  {
    numbers: ["4012000000020121", "5100270000000098", "341111000000029"],
    status: "N",
    code: "12",
  },
  { numbers: ["5100270000000056"], challenge: true, status: "N", code: "12" },
  { numbers: ["5100270000000072"], status: "R", code: "12" },
  { numbers: ["4666666666662222"], status: "A", code: "05", cvv: "N" },
  { numbers: ["5555666666662222"], status: "U", code: "05" },
  { numbers: ["4111111111119999"], status: "A", code: "98" },
  { numbers: ["5111111111113333"], status: "A", code: "05" },
  {
    numbers: ["4111111111110000", "5111111111110000"],
    challenge: true,
    status: "Y",
    code: "91",
  },
  { numbers: ["6011111111111152", "3528111111111157"], status: "none", code: "05" },
];

const BY_NUMBER = new Map(CARDS.flatMap((card) => card.numbers.map((number) => [number, card])));

export function cardOf(number: string): TestCard {
  const listed = BY_NUMBER.get(number);
  return listed ?? { numbers: [number], status: "Y", code: passesLuhn(number) ? "00" : "14" };
}

export function brandOf(number: string): Brand | undefined {
  if (/^4/.test(number)) return "Visa";
  if (/^(5[1-5]|2[2-7])/.test(number)) return "MasterCard";
  if (/^3[47]/.test(number)) return "Amex";
  if (/^6(011|5|4[4-9])/.test(number)) return "Discover";
  if (/^35/.test(number)) return "JCB";
  return undefined;
}

/** In words, for the help of the tool. */
export function describeCard({ fingerprint, challenge, status, code }: TestCard): string {
  const steps = [
    ...(fingerprint ? ["fingerprint"] : []),
    ...(challenge ? [`challenge (password ${CHALLENGE_PASSWORD})`] : []),
    status === "none" ? "no 3-D Secure" : `3-D Secure ${status}`,
  ];
  return `${steps.join(", ")}, then ${code === "00" ? "approved" : `declined ${code}`}`;
}

function passesLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, at) => {
    const doubled = digit * 2;
    return total + (at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
