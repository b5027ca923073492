/** Whose card a number is, and whether its last digit fits the others. */

export const CARD_NETWORKS = ["visa", "mastercard"] as const;

export type CardNetwork = (typeof CARD_NETWORKS)[number];

export const NETWORK_NAMES = { visa: "Visa", mastercard: "Mastercard" } as const;

const VISA = /^4/;
/** 51 to 55, and since 2017 also 2221 to 2720. */
const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/;

/** Undefined: a network that we do not take. */
export function networkOf(digits: string): CardNetwork | undefined {
  if (VISA.test(digits)) return "visa";
  return MASTERCARD.test(digits) ? "mastercard" : undefined;
}

/** Luhn: every second digit from the right counts double, and the sum ends in zero. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const digit = Number(digits[at]);
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    sum += isDoubled ? doubled : digit;
  }
  return sum % 10 === 0;
}
