/**
 * What a card number, an expiry date and a security code look like. The sentences come with the
 * form, from the service, which judges again whatever is sent.
 */

// @ts-check

/**
 * @typedef {{
 *   number: Record<string, string>,
 *   expiry: { over: string, tooFar: string, year: number, month: number, lastYear: number },
 *   problems: string[],
 *   sending: {
 *     slow: string, again: string, kept: string,
 *     offline: Words, lost: Words, trouble: Words,
 *   },
 *   sandboxCards?: Record<string, string[]>,
 * }} FormWords
 * @typedef {{ heading: string, text: string }} Words
 */

/** @type {Record<string, readonly number[]>} */
const LENGTHS = { visa: [13, 16, 19], mastercard: [16] };
/** At so many digits a number is looked at before its field is left. */
const USUAL_LENGTHS = [16, 19];
const AMEX_LENGTH = 15;

/** @param {string} text */
function digitsOf(text) {
  return text.replace(/\D/g, "");
}

/** @param {string} digits */
function networkOf(digits) {
  if (digits.startsWith("4")) return "visa";
  if (/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return "mastercard";
  if (digits.length < 4) return "";
  return /^3[47]/.test(digits) ? "amex" : "notTaken";
}

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - at));
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    sum += at % 2 === 1 ? doubled : digit;
  }
  return sum % 10 === 0;
}

/** Empty: nothing is wrong with it. @param {string} typed @param {FormWords} words */
function numberProblem(typed, words) {
  const digits = digitsOf(typed);
  const network = networkOf(digits);
  const lengths = LENGTHS[network];
  if (lengths === undefined) return words.number[network] ?? "";
  const isListed = words.sandboxCards?.[digits.slice(0, 12)]?.includes(digits.slice(12));
  const isValid = lengths.includes(digits.length) && (isListed || passesLuhn(digits));
  if (!isValid) return words.number.notValid ?? "";
  // Of a network that the merchant does not take for this order.
  return words.number[network] ?? "";
}

/** @param {string} typed @param {FormWords} words */
function expiryProblem(typed, { expiry }) {
  const digits = digitsOf(monthAndYear(digitsOf(typed)));
  const [month, year] = [Number(digits.slice(0, 2)), 2000 + Number(digits.slice(2))];
  if (year < expiry.year || (year === expiry.year && month < expiry.month)) return expiry.over;
  return year > expiry.lastYear ? expiry.tooFar : "";
}

/** Whether all of it is there, so that it may be judged while it is typed in. */
const COMPLETE = {
  /** @param {string} digits */
  number: (digits) =>
    USUAL_LENGTHS.includes(digits.length) ||
    (digits.length === AMEX_LENGTH && networkOf(digits) === "amex"),
  /** @param {string} digits */
  expiry: (digits) => digits.length >= 4,
  /** @param {string} digits */
  cvv: (digits) => digits.length >= 3,
};

/** @param {string} digits */
function groupsOfFour(digits) {
  return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** @param {string} digits */
function monthAndYear(digits) {
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const year = whole.length > 4 ? whole.slice(2).replace(/^20(?=\d\d)/, "") : whole.slice(2);
  return whole.length < 2 ? whole : `${whole.slice(0, 2)} / ${year.slice(0, 2)}`;
}
