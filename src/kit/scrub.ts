/**
 * The last filter of every log line: card numbers and credentials are masked wherever they stand.
 *
 * It errs towards masking, and a JSON line stays JSON. What counts as a card number is said in
 * `card-number.ts`; here is where to look for one, in any digits and through escapes (Decision
 * 0148). The time grows with the length alone: lines may be long and hostile.
 */

import { findCardNumber, isDigit, mayHoldCardNumber } from "./card-number.ts";
import { plainDigits } from "./plain-digits.ts";
import { decodedDigits, readEscapes } from "./written-digits.ts";

const SECRET = /(svc_(?:live|test|rt)_)[\w-]+|(whsec_)[\w+/=%-]+|eyJ[\w-]{15,}[\w.-]*/g;

/** A list of the groups of one number, also in JSON that is itself in a text. */
const GROUP = String.raw`\\{0,9}"?\d{2,7}\\{0,9}"?`;
const BLANKS = String.raw`\s{0,9}`;
const GROUPS = new RegExp(
  `\\[${BLANKS}${GROUP}(?:${BLANKS},${BLANKS}${GROUP}){1,8}${BLANKS}\\]`,
  "g",
);

export function scrub(line: string): string {
  const scrubbed = scrubNumbers(scrubSecrets(line));
  const read = readEscapes(scrubbed);
  if (read === scrubbed) return scrubbed;
  // Before and after: what looks like an escape may be the beginning of a card, as in `C:\u4111`.
  const again = scrubNumbers(read);
  return again === read ? scrubbed : again;
}

function scrubNumbers(line: string): string {
  const kept = line.replace(GROUPS, scrubGroups);
  const written = decodedDigits(kept);
  if (written === kept && !mayHoldCardNumber(kept)) return kept;
  const plain = plainDigits(written);
  const listed = plain === kept ? kept : plain.replace(GROUPS, scrubGroups);
  const scrubbed = scrubCards(listed);
  return scrubbed === plain ? kept : scrubbed;
}

function scrubGroups(list: string): string {
  const card = findCardNumber(list.replace(/\D/g, ""), 0);
  if (card === undefined) return list;
  const pan = `[pan:${card.lastFour}]`;
  const quotes = list.match(/\\*"/g) ?? [];
  const [quote] = quotes;
  // One of them begins or ends a text that goes on outside of the list: they all stay.
  if (quotes.length % 2 === 1) return inPlaceOfDigits(list, pan);
  // Numbers may stand in a text or not: this is JSON in both.
  return quote === undefined ? "[null]" : `[${quote}${pan}${quote}]`;
}

function inPlaceOfDigits(list: string, pan: string): string {
  let left = pan;
  return list.replace(/\d+/g, () => {
    const here = left;
    left = "";
    return here;
  });
}

function scrubSecrets(line: string): string {
  return line.replace(SECRET, (_, keyPrefix?: string, webhookPrefix?: string) => {
    const prefix = keyPrefix ?? webhookPrefix;
    return prefix === undefined ? "[jwt]" : `${prefix}[masked]`;
  });
}

const QUOTE = 0x22;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;

function scrubCards(line: string): string {
  const isJson = line.startsWith("{") || line.startsWith("[");
  let isInText = !isJson;
  let output = "";
  let copiedTo = 0;
  for (let at = 0, end = 0; at < line.length; at = end) {
    const code = line.charCodeAt(at);
    end = at + 1;
    if (isDigit(code)) {
      end = isInText ? groupEnd(line, at) : numberEnd(line, at);
      const card = findCardNumber(line, at);
      // Outside text a number is masked whole or not at all: 3.4111111111111111 is a measurement.
      if (card === undefined || (!isInText && isWithinNumber(line, at, card.end, end))) continue;
      const start = !isInText && line[at - 1] === "-" ? at - 1 : at;
      const mask = `[pan:${card.lastFour}]`;
      output += line.slice(copiedTo, start) + (isInText ? mask : `"${mask}"`);
      end = card.end;
      copiedTo = end;
    } else if (code === PERCENT) {
      end = behindSign(line, at);
    } else if (isJson && code === QUOTE) {
      isInText = !isInText;
    } else if (isJson && code === BACKSLASH) {
      end = at + (line[at + 1] === "u" ? 6 : 2);
    }
  }
  return copiedTo === 0 ? line : output + line.slice(copiedTo);
}

/** The digits of an encoded blank or sign, `%20` or `%2520`, are no part of the number after it. */
function behindSign(line: string, percent: number): number {
  let end = percent + 1;
  while (line[end] === "2" && isDigit(line.charCodeAt(end + 1))) {
    end += 2;
    // Else it is a percent sign, or the beginning of what was encoded twice.
    if (line[end - 1] !== "5" || findCardNumber(line, end) !== undefined) break;
  }
  return end;
}

function isWithinNumber(line: string, at: number, cardEnd: number, end: number): boolean {
  return cardEnd < end || (cardEnd === end && line.slice(at, end).includes("."));
}

function groupEnd(line: string, start: number): number {
  let at = start + 1;
  while (isDigit(line.charCodeAt(at))) at += 1;
  return at;
}

const REST_OF_NUMBER = /\d*(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function numberEnd(line: string, start: number): number {
  REST_OF_NUMBER.lastIndex = start;
  REST_OF_NUMBER.test(line);
  return REST_OF_NUMBER.lastIndex;
}
