/**
 * The shape of a file: its width, length, name and header. The limits are those at which a reader
 * has to scroll or loses the line.
 */

import type { Complaint } from "./complaints.ts";
import type { Files } from "./project-files.ts";
import type { SourceFacts } from "./source-facts.ts";

const COLUMNS_MAX = 100;
/**
 * An import and the promise that names a test are one string each; the formatter cannot break them.
 */
const UNBREAKABLE = /^\s*(import \{|test\(["`])/;
const COLUMNS_MAX_UNBREAKABLE = 120;
const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 60;
/** A shorter source file says what it is by its name and its first function. */
const LINES_WITHOUT_HEADER_MAX = 60;

/** Written by a program, and compared with what the program writes by a test of its own. */
const GENERATED = new Set(["db/schema.sql", "src/infra/db/tables.ts", "sdk/src/api-types.ts"]);

const SOURCE = /\.(ts|mjs|sql)$/;
const OWN_FOLDERS = /^(src|test|testkit|scripts|bench|db|docs|sdk|examples)\//;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const MIGRATION = /^db\/migrations\/\d{4}_[a-z0-9]+([-_][a-z0-9]+)*\.sql$/;

type Facts = ReadonlyMap<string, Pick<SourceFacts, "functions">>;

export function shapeComplaints(files: Files, facts: Facts): Complaint[] {
  const own = new Map([...files].filter(([file]) => !GENERATED.has(file)));
  const sources = [...own].filter(([file]) => SOURCE.test(file));
  return [
    ...[...own.keys()].flatMap(nameComplaints),
    ...sources.flatMap(([file, text]) => [
      ...widthComplaints(file, text),
      ...lengthComplaints(file, text),
      ...headerComplaints(file, text),
    ]),
    ...functionComplaints(facts),
  ];
}

function widthComplaints(file: string, text: string): Complaint[] {
  return text.split("\n").flatMap((line, index) => {
    const columns = [...line].length;
    const max = UNBREAKABLE.test(line) ? COLUMNS_MAX_UNBREAKABLE : COLUMNS_MAX;
    const advice = `it has ${columns}: break it before ${max}`;
    return columns > max ? [{ file, line: index + 1, rule: "columns", advice }] : [];
  });
}

function lengthComplaints(file: string, text: string): Complaint[] {
  const lines = linesOf(text);
  const advice = `it has ${lines}: give its second job a file, at most ${FILE_LINES_MAX} each`;
  return lines > FILE_LINES_MAX ? [{ file, line: lines, rule: "file lines", advice }] : [];
}

function functionComplaints(facts: Facts): Complaint[] {
  const own = [...facts].filter(([file]) => !GENERATED.has(file));
  return own.flatMap(([file, { functions }]) =>
    functions
      .filter(({ lines, isTestCallback }) => lines > FUNCTION_LINES_MAX && !isTestCallback)
      .map(({ name, line, lines }) => {
        const advice = `${name} has ${lines}: at most ${FUNCTION_LINES_MAX}`;
        return { file, line, rule: "function lines", advice };
      }),
  );
}

function nameComplaints(file: string): Complaint[] {
  if (!OWN_FOLDERS.test(file) || MIGRATION.test(file)) return [];
  const odd = file.split("/").find((part) => !KEBAB_CASE.test(part) && part !== "README.md");
  const advice = `write "${odd}" in small letters, words joined by hyphens`;
  return odd === undefined ? [] : [{ file, line: 1, rule: "file name", advice }];
}

function headerComplaints(file: string, text: string): Complaint[] {
  const first = text.replace(/^#!.*\n/, "").trimStart();
  const isComment = /^(\/\*|\/\/|--)/.test(first) && !/^\/[/*]+ *(biome-ignore|@ts-)/.test(first);
  if (isComment || !needsHeader(file, text)) return [];
  const advice = file.endsWith(".test.ts")
    ? "begin with the guarantee this test protects"
    : "begin with what lives here and what must hold";
  return [{ file, line: 1, rule: "header", advice }];
}

function needsHeader(file: string, text: string): boolean {
  if (file.endsWith(".test.ts") || MIGRATION.test(file)) return true;
  return linesOf(text) > LINES_WITHOUT_HEADER_MAX;
}

function linesOf(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
