/**
 * Lines of CSV as RFC 4180 has them: cells in quotes where they need them, lines ended by CRLF.
 *
 * The rule that matters: a spreadsheet must not take a customer's text for a formula. A cell that
 * begins like one gets an apostrophe in front, which spreadsheets read as "this is text".
 * Written by hand because it is three expressions.
 */

const BEGINS_LIKE_A_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | null): string {
  if (value === null) return "";
  const safe = BEGINS_LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
