/**
 * How the dump writes SQL: as the migrations are written, in small letters, in lines that fit.
 *
 * PostgreSQL gives definitions back in capitals and with long type names. Outside of quotes SQL
 * has no case, so everything there may be made small without changing what it means.
 */

import { COLUMNS_MAX, QUOTED } from "./line-breaks.ts";

const LITERAL = "'(?:[^']|'')*'";
const TEXT_LIST = new RegExp(
  `= ANY \\(ARRAY\\[(${LITERAL}::text(?:, ${LITERAL}::text)*)\\]\\)`,
  "g",
);
const TEXT_LITERAL = new RegExp(`(${LITERAL})::text\\b(?!\\[)`, "g");

/** A definition as PostgreSQL gives it, with small letters outside of its quotes. */
export function plainSql(definition: string): string {
  // A split by two groups gives: unquoted, quoted, the tag between its dollars, unquoted, …
  const parts = definition.split(QUOTED);
  return parts.map((part = "", index) => [smallLetters(part), part, ""][index % 3]).join("");
}

/**
 * The same for conditions, and in the words a person would have used. A literal of type text goes
 * without its type; literals of every other type keep theirs, so nothing becomes ambiguous.
 */
export function plainCondition(condition: string): string {
  return plainSql(condition.replace(TEXT_LIST, "in ($1)").replace(TEXT_LITERAL, "$1"));
}

function smallLetters(sql: string): string {
  return sql
    .toLowerCase()
    .replaceAll("timestamp with time zone", "timestamptz")
    .replaceAll(" using btree (", " (")
    .replace(/ references (\w+)\(/, " references $1 (");
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Two literals with a line break between them are one: that is how SQL breaks a long text. */
export function commentOn(subject: string, text: string | null): string[] {
  if (text === null) return [];
  const oneLine = `comment on ${subject} is ${literal(text)};`;
  if (oneLine.length <= COLUMNS_MAX && !text.includes("\n")) return [oneLine];
  const pieces: string[] = [];
  // Each piece keeps the white space after its last word, so that the pieces add up to the text.
  for (const word of text.match(/\S*\s*/g) ?? []) {
    const longer = (pieces.at(-1) ?? "") + word;
    const fits = `  ${literal(longer)};`.length <= COLUMNS_MAX;
    if (pieces.length > 0 && fits) pieces[pieces.length - 1] = longer;
    else if (word !== "") pieces.push(word);
  }
  return [`comment on ${subject} is\n${pieces.map((piece) => `  ${literal(piece)}`).join("\n")};`];
}
