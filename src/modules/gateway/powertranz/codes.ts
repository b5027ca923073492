/**
 * What the codes of PowerTranz mean, as data: which declines are the bank's, what a customer is
 * told, and which answers leave the outcome unknown. The bank's reasons that would accuse a
 * customer (lost, stolen, fraud) get the same sentence as a plain refusal.
 */

export const APPROVED = "00";
/** The sale is prepared, and the customer's browser goes to the bank. */
export const PREPARED = "SP4";
/** The card or the merchant takes no part in 3-D Secure. */
export const NOT_ENROLLED = "3D1";
/** The answer of a completion whose authentication failed. */
const NOT_AUTHENTICATED = "12";
/** It calls our request malformed. */
export const INVALID_REQUEST = "97";

const TRY_ANOTHER = "Please use another card.";
const DECLINED = "The card's bank declined the payment.";
const CANNOT_BE_USED = `This card cannot be used for this payment. ${TRY_ANOTHER}`;
const NOT_VALID = "The card number is not valid.";
const UNREACHABLE = "The card's bank cannot be reached. Please try again later.";

export const NOT_CONFIRMED = "The card's bank did not confirm the payment.";
export const NO_3D_SECURE = `This card does not support 3-D Secure. ${TRY_ANOTHER}`;
export const NOT_CHARGED = "The payment was not completed, and the card was not charged.";
export const APPROVED_SENTENCE = "Transaction is approved.";

const SENTENCES: readonly (readonly [sentence: string, codes: string])[] = [
  [DECLINED, "01 02 04 05 07 34 36 38 41 42 43 44 52 53 59 63 67 75 83 86 N0 N3 N4 P2 P5 P6 XA XD"],
  ["The card does not have enough funds.", "51"],
  ["The card's limit is reached.", "61 65"],
  ["The card has expired.", "33 54"],
  ["The security code of the card is wrong.", "82 N7"],
  [NOT_VALID, "14 15 39 55 56 78"],
  [CANNOT_BE_USED, "13 30 40 57 58 62 93 97 R0 R1 R3 3D3"],
  [NOT_CONFIRMED, NOT_AUTHENTICATED],
  [UNREACHABLE, "19 90 91 92 98"],
];

const sentences = new Map(
  SENTENCES.flatMap(([sentence, codes]) => codes.split(" ").map((code) => [code, sentence])),
);

/** Steps on the way, and answers of calls that move money: none of them refuses a preparation. */
const NO_REFUSALS = new Set([
  APPROVED,
  PREPARED,
  NOT_ENROLLED,
  ..."HP0 3D0 3D4 3D5 3D6 TK0 FC0".split(" "),
]);

/** Whether a preparation was refused: nothing is charged by it, so an unknown code is a no, too. */
export function refusesPreparation(code: string): boolean {
  return !NO_REFUSALS.has(code) && !CONDITIONAL_CODES.has(code);
}

/** Whether it is a clear no. */
export function isDecline(code: string): boolean {
  return sentences.has(code);
}

export function declineSentence(code: string): string {
  return sentences.get(code) ?? DECLINED;
}

/** Approved for a part of the amount, or under a condition: never what was asked for. */
export const CONDITIONAL_CODES: ReadonlySet<string> = new Set(["08", "10", "11", "16", "32", "85"]);

/** In progress, answered too late, repeated, or a failure of the system. */
const UNKNOWN_CODES = new Set("06 09 20 21 22 68 76 77 94 95 96 99".split(" "));

/** With one of these the code beside it says nothing: system trouble, time-outs, repeated calls. */
const UNKNOWN_ERRORS = new Set(
  (
    "32 33 34 35 39 317 318 319 320 321 322 325 331 340 341 342 350 351 352 353 387 390 391 392 " +
    "787 788"
  ).split(" "),
);

/** The settings of this service or of the merchant at PowerTranz are wrong. */
const SETTINGS_CODES = new Set(["03", "3", "89", "FC3"]);
const SETTINGS_ERRORS = new Set("310 311 312 315 326 330 343 757 1011".split(" "));

/** The sale cannot be voided or refunded any more, or never existed. */
export const ORIGINAL_NOT_FOUND = "381";
/** It is void, or was never captured. */
export const ORIGINAL_VOID = "384";
const ORIGINAL_REFUSED = new Set(["380", "381", "382", "383", "384"]);

export function leavesUnknown(code: string, errors: readonly string[]): boolean {
  return UNKNOWN_CODES.has(code) || errors.some((one) => one === "" || UNKNOWN_ERRORS.has(one));
}

export function blamesSettings(code: string, errors: readonly string[]): boolean {
  return SETTINGS_CODES.has(code) || errors.some((error) => SETTINGS_ERRORS.has(error));
}

export function refusesOriginal(errors: readonly string[]): boolean {
  return errors.some((error) => ORIGINAL_REFUSED.has(error));
}
