/**
 * Reads a main merchant's list of payees, a CSV file whose first line names the columns: the fields
 * of a withdrawal, by the rules of a single one. Every problem of every line is told, and a list
 * with one has no lines (Decision 0091).
 */

import { isUtf8 } from "node:buffer";
import { csvLine } from "../../../kit/csv.ts";
import { FieldRefused } from "../../../kit/errors.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { readFields, type Shape } from "../../../kit/fields/field.ts";
import { type CsvLine, readCsv } from "../../../kit/read-csv.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { Platform } from "../../platforms/platform.ts";
import { exampleFor, type WithdrawalValues, withdrawalFields } from "../withdrawal-fields.ts";

export const LIST_LINES_MAX = 500;
export const LIST_BYTES_MAX = 1_048_576;

/** A line of the file that can be paid. */
export interface PayeeLine {
  readonly number: number;
  /** As it was written, by the names of the columns. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ListProblem {
  readonly line: number;
  readonly message: string;
}

export interface ReadList {
  /** None where there is a problem. */
  readonly lines: readonly PayeeLine[];
  readonly problems: readonly ListProblem[];
}

/** Judged only with these: without them nothing can be said of it. */
const NEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  bank_name: ["bank_account", "bank_branch"],
};

function fieldsOn(platform: Platform) {
  return { ...withdrawalFields(platform), withdrawal_type: oneOf(["sub_banked", "sub_unbanked"]) };
}

/** Of a list in this country; the environment is that of the page. */
export function listColumns(platform: Platform): readonly string[] {
  const isAsked = (name: string) =>
    name !== "environment" &&
    (platform.asksForBranch || (name !== "bank_account_type" && name !== "bank_branch"));
  return Object.keys(fieldsOn(platform)).filter(isAsked);
}

/** A payee with a bank account and one without, to be written over: as it is it cannot be paid. */
export function listTemplate(platform: Platform): string {
  const [bank] = platform.banks;
  const columns = listColumns(platform);
  const lineOf = (type: "sub_banked" | "sub_unbanked") => {
    const ofBank = {
      bank_name: bank?.name,
      bank_account: "0".repeat(bank?.account.minLength ?? 0),
      bank_account_type: bank?.accountTypes?.[0],
      bank_branch: bank?.branches?.[0],
    };
    const line: Readonly<Record<string, unknown>> = {
      ...exampleFor(type),
      ...(type === "sub_banked" && ofBank),
      currency: platform.localCurrency,
      data: "",
      id_number: "",
    };
    return csvLine(columns.map((name) => String(line[name] ?? "")));
  };
  return csvLine(columns) + lineOf("sub_banked") + lineOf("sub_unbanked");
}

export function readList(bytes: Buffer, platform: Platform): ReadList {
  const lines = isUtf8(bytes) ? readCsv(bytes.toString("utf8")) : undefined;
  if (lines === undefined)
    return refused(1, "The file is not CSV in UTF-8, or a quotation mark is left open.");
  const [head, ...rest] = lines;
  if (head === undefined || rest.length === 0) return refused(1, "The file has no lines to pay.");
  if (rest.length > LIST_LINES_MAX)
    return refused(
      1,
      `The file has ${rest.length} lines to pay; at most ${LIST_LINES_MAX} can be.`,
    );
  const columns = head.cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "_"),
  );
  const wrong = headProblems(columns, platform);
  if (wrong.length > 0) return { lines: [], problems: wrong };
  const shape = fieldsOn(platform);
  const read = rest.map((line) => lineOf(line, columns));
  const problems = read.flatMap((line) => [
    ...tooLong(line, columns.length),
    ...problemsOf(shape, line.fields).map((message) => ({ line: line.number, message })),
  ]);
  return { lines: problems.length > 0 ? [] : read, problems };
}

/** By the rules of now; throws where they have changed since the list was read. */
export function requestOf(
  { fields }: PayeeLine,
  platform: Platform,
  environment: Environment,
): WithdrawalValues {
  return readFields(fieldsOn(platform), { ...fields, environment });
}

function refused(line: number, message: string): ReadList {
  return { lines: [], problems: [{ line, message }] };
}

function headProblems(columns: readonly string[], platform: Platform): ListProblem[] {
  const known = listColumns(platform);
  const needed = ["withdrawal_type", "currency", "amount", "email", "phone"];
  const isAny = columns.some((name) => known.includes(name));
  const messages = isAny
    ? [
        ...columns
          .filter((name) => !known.includes(name))
          .map((name) => `There is no column ${name === "" ? "without a name" : name}.`),
        ...columns
          .filter((name, at) => columns.indexOf(name) < at)
          .map((name) => `The column ${name} stands there twice.`),
        ...needed
          .filter((name) => !columns.includes(name))
          .map((name) => `The column ${name} is missing.`),
      ]
    : [`The first line must name the columns, separated by commas: ${known.join(", ")}.`];
  return messages.map((message) => ({ line: 1, message }));
}

/** Our own files have an apostrophe before what a spreadsheet would take for a formula. */
function lineOf({ number, cells }: CsvLine, columns: readonly string[]) {
  const named = columns.map((name, at) => {
    const text = (cells[at] ?? "").trim();
    return [name, /^'[=+\-@]/.test(text) ? text.slice(1) : text] as const;
  });
  return { number, fields: Object.fromEntries(named), cellCount: cells.length };
}

function tooLong(
  { number, cellCount }: { readonly number: number; readonly cellCount: number },
  columnCount: number,
): ListProblem[] {
  if (cellCount <= columnCount) return [];
  return [{ line: number, message: "There are more cells than columns." }];
}

/** Each field that is wrong, not only the first: so the file is mended in one go. */
function problemsOf(whole: Shape, fields: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  const unjudged = new Set<string>();
  for (;;) {
    const shape = Object.entries(whole).filter(([name]) => !unjudged.has(name));
    try {
      readFields(Object.fromEntries(shape), fields);
      return problems;
    } catch (error) {
      if (!(error instanceof FieldRefused) || error.field === undefined) throw error;
      if (unjudged.has(error.field)) return problems;
      problems.push(error.message);
      for (const name of [error.field, ...(NEEDED_BY[error.field] ?? [])]) unjudged.add(name);
    }
  }
}
