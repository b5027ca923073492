/**
 * Is there a card number at this place of a text? 13 to 19 digits, run together or in groups, that
 * pass Luhn or belong to the sandbox. Up to three signs that people put there may part the groups.
 *
 * A card number begins with 2 to 6, as those of the card networks do. This spares epoch
 * milliseconds, which have 13 digits and begin with 1, and half of all other numbers. Digits before
 * or after in another group do not hide it: `2026-10-05 4111 1111 1111 1111`.
 */

const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

/** The sandbox's cards by all but their last four digits. With most endings they fail Luhn. */
const SANDBOX_DIGITS = 16;
const SANDBOX_PREFIX_DIGITS = 12;
const SANDBOX_PREFIXES = new Set([411111111111, 511111111111, 466666666666]);

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
const UUID_LENGTH = 36;

/**
 * Blanks, dashes, invisible characters, and how forms and JSON write a blank or one of the others,
 * also in a text that is itself part of a form or of JSON.
 */
const GAP =
  /(?:[\s\p{Pd}\p{Cf}._/+]|%(?:25)*(?:0[9ad]|20|2[bdef]|5f|c2%(?:25)*a0)|\\+[tnr/]){1,3}/iuy;
const NONE = -1;
const ZERO = 0x30;
const TWO = 0x32;
const SIX = 0x36;
const NINE = 0x39;

interface CardNumber {
  readonly end: number;
  readonly lastFour: string;
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Of the characters of ASCII: which may be in a card number as it is written. */
const OTHER = 0;
const DIGIT = 1;
const GAP_SIGN = 2;
/** Only behind a percent sign or a backslash. */
const GAP_LETTER = 3;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const ASCII_MAX = 0x7f;
const KINDS = Uint8Array.from({ length: ASCII_MAX + 1 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (isDigit(code)) return DIGIT;
  if (/[\s\-._/+%\\]/.test(char)) return GAP_SIGN;
  return /[a-ftnr]/i.test(char) ? GAP_LETTER : OTHER;
});

/**
 * Whether it is worth a closer look: most texts have too few digits that are near each other. A run
 * of characters that a card number may have is as long as its digits, so it is met by looking at
 * every thirteenth character. A pattern that can tell takes longer.
 */
export function mayHoldCardNumber(text: string): boolean {
  // Beyond ASCII, where a character has several bytes: it may be a digit or a gap.
  if (Buffer.byteLength(text) !== text.length) return true;
  for (let at = DIGITS_MIN - 1; at < text.length; at += DIGITS_MIN) {
    if (KINDS[text.charCodeAt(at)] === OTHER) continue;
    let start = at;
    while (start > 0 && KINDS[text.charCodeAt(start - 1)] !== OTHER) start -= 1;
    let end = at + 1;
    while (end < text.length && KINDS[text.charCodeAt(end)] !== OTHER) end += 1;
    if (end - start >= DIGITS_MIN && hasEnoughDigits(text, start, end)) return true;
    at = end; // which is none, or behind the text
  }
  return false;
}

function hasEnoughDigits(text: string, start: number, end: number): boolean {
  let digits = 0;
  for (let at = start; at < end; at++) {
    const kind = KINDS[text.charCodeAt(at)];
    if (kind === DIGIT) {
      digits += 1;
      if (digits === DIGITS_MIN) return true;
    } else if (digits > 0 && kind !== GAP_SIGN && !isEncoding(text, at)) digits = 0;
  }
  return false;
}

function isEncoding(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before === PERCENT || before === BACKSLASH || text.charCodeAt(at - 2) === PERCENT;
}

/** A card number that begins with the group of digits at `start`. */
export function findCardNumber(text: string, start: number): CardNumber | undefined {
  let end = longestEnd(text, start);
  if (end === NONE || isInUuid(text, start)) return undefined;
  // A date and the first groups of a card can pass Luhn together; the card's own groups go on.
  for (let at = start + 1; at < end; at += 1) {
    const isGroupStart = isDigit(text.charCodeAt(at)) && !isDigit(text.charCodeAt(at - 1));
    if (isGroupStart) end = Math.max(end, longestEnd(text, at));
  }
  return { end, lastFour: digitsOf(text.slice(start, end)).slice(-4) };
}

/** The digits of each card number that may be meant at `start`: others may follow it. */
export function cardNumbersAt(text: string, start: number): string[] {
  const ends = endsOf(text, start);
  if (ends.length === 0 || isInUuid(text, start)) return [];
  return ends.map((end) => digitsOf(text.slice(start, end)));
}

function digitsOf(written: string): string {
  return written.replace(/%(?:25)*[\da-f]{2}|\D/gi, "");
}

function longestEnd(text: string, start: number): number {
  return endsOf(text, start).at(-1) ?? NONE;
}

function endsOf(text: string, start: number): number[] {
  const ends: number[] = [];
  const first = text.charCodeAt(start);
  if (first < TWO || first > SIX) return ends;
  let count = 0;
  let prefix = 0;
  // Luhn doubles every second digit counted from the right, and the right end is not known yet: one
  // sum is for an even count of digits, the other for an odd one.
  let sumIfEven = 0;
  let sumIfOdd = 0;
  for (let at = start; at !== NONE && count < DIGITS_MAX; at = nextDigit(text, at + 1)) {
    const digit = text.charCodeAt(at) - ZERO;
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    sumIfEven += count % 2 === 0 ? doubled : digit;
    sumIfOdd += count % 2 === 0 ? digit : doubled;
    if (count < SANDBOX_PREFIX_DIGITS) prefix = prefix * 10 + digit;
    count += 1;
    if (count < DIGITS_MIN || isDigit(text.charCodeAt(at + 1))) continue;
    const passesLuhn = (count % 2 === 0 ? sumIfEven : sumIfOdd) % 10 === 0;
    if (passesLuhn || (count === SANDBOX_DIGITS && SANDBOX_PREFIXES.has(prefix))) ends.push(at + 1);
  }
  return ends;
}

/** The digit at `at`, or behind the gap there. */
function nextDigit(text: string, at: number): number {
  if (isDigit(text.charCodeAt(at))) return at;
  GAP.lastIndex = at;
  if (!GAP.test(text)) return NONE;
  return isDigit(text.charCodeAt(GAP.lastIndex)) ? GAP.lastIndex : NONE;
}

/**
 * A group of four hexadecimal digits is often all decimal, and three such groups in a row happen.
 */
function isInUuid(text: string, at: number): boolean {
  const from = Math.max(0, at - UUID_LENGTH);
  const around = text.slice(from, at + UUID_LENGTH);
  return Array.from(around.matchAll(UUID)).some(({ index }) => {
    return from + index <= at && at < from + index + UUID_LENGTH;
  });
}
