/**
 * Reads a settlement report: CSV whose columns are named by the settings. A file in which anything
 * cannot be read is refused as a whole, with the line that is wrong: half a report would pass for
 * the whole.
 */

import type { SettlementColumns } from "../../infra/settlement-settings.ts";
import { OperatorError } from "../../kit/errors.ts";
import { CURRENCIES, type Currency, type Money, parseMoney } from "../../kit/money.ts";
import { type CsvLine, readCsv } from "../../kit/read-csv.ts";
import { CURRENCY_NUMBERS } from "../gateway/powertranz/numeric-codes.ts";
import { type ReportLine, reportLine } from "./settlement-line.ts";

export const REPORT_BYTES_MAX = 32_000_000;
const LINES_MAX = 100_000;
const TEXT_MAX = 128;
const DAY = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/;

/** As the gateway numbers its transactions, or in words. */
const KINDS: ReadonlyMap<string, ReportLine["kind"]> = new Map([
  ["2", "sale"],
  ["3", "sale"],
  ["sale", "sale"],
  ["capture", "sale"],
  ["5", "refund"],
  ["refund", "refund"],
]);

/** Each line once, in the order of the file. */
export function readReport(bytes: Buffer, columns: SettlementColumns): ReportLine[] {
  if (bytes.length > REPORT_BYTES_MAX)
    throw new OperatorError("The report is longer than 32 MB. Split it by days.");
  const [head, ...lines] = readCsv(bytes.toString("utf8")) ?? [];
  if (head === undefined)
    throw new OperatorError("The report is empty or no CSV with commas between its cells.");
  if (lines.length > LINES_MAX)
    throw new OperatorError(`The report has more than ${LINES_MAX} lines. Split it by days.`);
  const indexes = findColumns(head, columns);
  const read = lines.map((line) => readLine(line, indexes));
  return [...new Map(read.map((line) => [line.lineId, line])).values()];
}

type ColumnIndexes = Readonly<Record<keyof SettlementColumns, number>>;

function findColumns({ cells }: CsvLine, columns: SettlementColumns): ColumnIndexes {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const demand = (name: string) => {
    const at = names.indexOf(name.trim().toLowerCase());
    // Which of them is meant, nobody can say.
    if (at !== names.lastIndexOf(name.trim().toLowerCase()))
      throw new OperatorError(`The report has the column "${name}" twice.`);
    if (at >= 0) return at;
    throw new OperatorError(`The report has no column "${name}". SETTLEMENT_COLUMNS names them.`);
  };
  return {
    identifier: demand(columns.identifier),
    order: demand(columns.order),
    type: demand(columns.type),
    amount: demand(columns.amount),
    currency: demand(columns.currency),
    date: demand(columns.date),
    // Named and missing it would be read as no fee, and the same lines as others later.
    fee: columns.fee === undefined ? -1 : demand(columns.fee),
  };
}

function readLine({ number, cells }: CsvLine, indexes: ColumnIndexes): ReportLine {
  const wrong = (what: string) => new OperatorError(`Line ${number} of the report: ${what}`);
  const cellOf = (name: keyof ColumnIndexes) => (cells[indexes[name]] ?? "").trim();
  const textOf = (name: keyof ColumnIndexes) => {
    const text = cellOf(name);
    if (text.length > TEXT_MAX) throw wrong(`the ${name} is longer than ${TEXT_MAX} characters.`);
    if (/\p{Cc}/u.test(text)) throw wrong(`the ${name} contains a control character.`);
    return text;
  };
  const currency = readCurrency(cellOf("currency"));
  if (currency === undefined) throw wrong("the currency is none that we take.");
  const type = textOf("type");
  const kind = KINDS.get(type.toLowerCase()) ?? "other";
  const amount = readAmount(cellOf("amount"), currency, kind);
  if (amount === undefined) throw wrong("the amount is none.");
  const fee = parseMoney(currency, cellOf("fee") || "0");
  if (fee === undefined) throw wrong("the fee is no amount.");
  const date = readDay(cellOf("date"));
  if (date === undefined) throw wrong("the date must be a day such as 2026-11-16.");
  const [identifier, order] = [textOf("identifier").toLowerCase(), textOf("order")];
  return reportLine({ identifier, order, type, kind, amount, fee, date });
}

/** Letters, or digits that may have lost the zeros in front. */
function readCurrency(text: string): Currency | undefined {
  const number = text.padStart(3, "0");
  return CURRENCIES.find((one) => one === text.toUpperCase() || CURRENCY_NUMBERS[one] === number);
}

/** What goes back may be written below zero; a sale may not, and neither is for nothing. */
function readAmount(text: string, currency: Currency, kind: ReportLine["kind"]): Money | undefined {
  const amount = parseMoney(currency, kind === "sale" ? text : text.replace(/^-/, ""));
  return amount?.minor === 0n && kind !== "other" ? undefined : amount;
}

function readDay(text: string): string | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ? date : undefined;
}
