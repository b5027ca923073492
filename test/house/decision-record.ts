/**
 * A decision record read into data. The page is prose with seven named fields; the last one,
 * "Lives in", is a list of places and proofs:
 *
 *   Lives in: `src/a.ts`, `db/b.sql` · proven by: `test/c.test.ts` "the name of a test"
 */

export const DECISION_FIELDS = [
  "Interface",
  "Status",
  "Decision",
  "Why",
  "Instead of",
  "Costs",
  "Lives in",
] as const;

export interface DecisionRecord {
  readonly file: string;
  readonly number: string;
  readonly firstLine: string;
  readonly lines: number;
  readonly words: number;
  /** In the order of the page. */
  readonly fields: ReadonlyMap<string, string>;
  readonly livesIn: readonly string[];
  readonly provenBy: readonly { path: string; test: string | undefined }[];
  readonly supersededBy: string | undefined;
}

const FIELD_START = new RegExp(`^(${DECISION_FIELDS.join("|")}):`);
const PATH_AND_TEST = /`([^`]+)`(?: "([^"]+)")?/g;
/** The word and its number may stand on two lines of one comment. */
const CITATION = /\bDecisions?[\s*/-]+(\d{4}(?:(?:, and|,| and)[\s*/-]+\d{4})*)/g;

export function readDecisionRecord(file: string, text: string): DecisionRecord {
  const lines = text.trimEnd().split("\n");
  const fields = readFields(lines);
  const [code = "", proof = ""] = (fields.get("Lives in") ?? "").split("· proven by:");
  return {
    file,
    number: /(\d{4})-[^/]*$/.exec(file)?.[1] ?? "",
    firstLine: lines[0] ?? "",
    lines: lines.length,
    words: text.trim().split(/\s+/).length,
    fields,
    livesIn: [...code.matchAll(PATH_AND_TEST)].map(([, path = ""]) => path),
    provenBy: [...proof.matchAll(PATH_AND_TEST)].map(([, path = "", test]) => ({ path, test })),
    supersededBy: /^superseded by (\d{4})/i.exec(fields.get("Status") ?? "")?.[1],
  };
}

/** A field runs from its name at the start of a line to the next name, white space made single. */
function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let current: string | undefined;
  for (const line of lines) {
    const name = FIELD_START.exec(line)?.[1];
    current = name ?? current;
    if (current === undefined) continue;
    const words = name === undefined ? line : line.slice(name.length + 1);
    fields.set(current, `${fields.get(current) ?? ""} ${words}`.replace(/\s+/g, " ").trim());
  }
  return fields;
}

/** Each number after the word, also in an enumeration: the plural, then "0003, 0004 and 0005". */
export function citationsIn(text: string): { number: string; line: number }[] {
  return [...text.matchAll(CITATION)].flatMap(({ index, 1: numbers = "" }) => {
    const line = text.slice(0, index).split("\n").length;
    return (numbers.match(/\d{4}/g) ?? []).map((number) => ({ number, line }));
  });
}
