/**
 * Lines of CSV as RFC 4180 has them: cells in quotes where they need them, lines ended by CRLF.
 *
 * A spreadsheet must not take a customer's text for a formula. A cell that begins like one, with or
 * without blanks in front that a spreadsheet drops, gets an apostrophe in front, which spreadsheets
 * read as "this is text". Semicolons stand in quotes, too: where the comma is a decimal sign,
 * spreadsheets part cells by them. Written by hand because it is three expressions.
 */

import { formatMoney, type Money } from "./money.ts";

/** Blanks are all that show nothing: also a byte order mark, a no-break space, a zero-width one. */
const BEGINS_LIKE_A_FORMULA = /^[\s\p{Z}\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** An amount is a number to a spreadsheet, below zero too. */
export function csvLine(cells: readonly (string | Money | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | Money | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return formatMoney(value);
  const safe = BEGINS_LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
