/**
 * What must hold between decision records, the code and the register.
 *
 * The page says what was decided, the code it names cites the number, and a test proves it. These
 * rules keep the three consistent.
 */

import {
  citationsIn,
  DECISION_FIELDS,
  type DecisionRecord,
  readDecisionRecord,
} from "./decision-record.ts";
import type { Files } from "./project-files.ts";

const FOLDER = "docs/decisions/";
const REGISTER = `${FOLDER}README.md`;
const PAGE_LINES_MAX = 60;
const PAGE_WORDS_MAX = 300;
const CITING_FOLDERS = /^(src|test|testkit|db|scripts|bench|sdk|sdk-php)\//;

export function decisionComplaints(files: Files): string[] {
  const records = [...files]
    .filter(([file]) => file.startsWith(FOLDER) && file !== REGISTER)
    .map(([file, text]) => readDecisionRecord(file, text));
  const numbers = new Set(records.map(({ number }) => number));
  return [
    ...records.flatMap(pageComplaints),
    ...numberComplaints(records),
    ...records.flatMap((record) =>
      record.supersededBy === undefined
        ? [...placeComplaints(record, files), ...proofComplaints(record, files)]
        : successorComplaints(record, numbers),
    ),
    ...citationComplaints(numbers, files),
    ...registerComplaints(records, files),
  ];
}

function pageComplaints(record: DecisionRecord): string[] {
  const { file, number, firstLine, lines, words, fields, supersededBy } = record;
  const complaints: string[] = [];
  if (!/\/\d{4}(-[a-z0-9]+)+\.md$/.test(file)) {
    complaints.push(`${file}:1 is not called NNNN-short-title.md`);
  }
  if (!/^# \d{4} \S/.test(firstLine) || !firstLine.startsWith(`# ${number} `)) {
    complaints.push(`${file}:1 does not begin with "# ${number} " and a title`);
  }
  const missing = DECISION_FIELDS.filter((name) => !fields.get(name));
  complaints.push(...missing.map((name) => `${file} says nothing under "${name}:"`));
  if (missing.length === 0 && [...fields.keys()].join() !== DECISION_FIELDS.join()) {
    complaints.push(`${file} has its fields in another order than ${DECISION_FIELDS.join(", ")}`);
  }
  if (lines > PAGE_LINES_MAX) {
    complaints.push(`${file} has ${lines} lines: one page is ${PAGE_LINES_MAX}`);
  }
  // A superseded record is history and is not edited any more.
  if (words > PAGE_WORDS_MAX && supersededBy === undefined) {
    complaints.push(`${file} has ${words} words: a record has at most ${PAGE_WORDS_MAX}`);
  }
  return complaints;
}

/** Reports only the first wrong number: later ones follow from it. */
function numberComplaints(records: readonly DecisionRecord[]): string[] {
  const inOrder = records.toSorted((a, b) => a.number.localeCompare(b.number));
  const expected = (index: number) => String(index + 1).padStart(4, "0");
  const index = inOrder.findIndex(({ number }, at) => number !== expected(at));
  const wrong = inOrder[index];
  if (wrong === undefined) return [];
  return [`${wrong.file} should be number ${expected(index)}: no number twice, no gap`];
}

/** A superseded record may name files that no longer exist. */
function successorComplaints({ file, supersededBy = "" }: DecisionRecord, numbers: Set<string>) {
  if (numbers.has(supersededBy)) return [];
  return [`${file} is superseded by ${supersededBy}, which does not exist`];
}

function placeComplaints({ file, number, livesIn }: DecisionRecord, files: Files): string[] {
  if (livesIn.length === 0) return [`${file} names no file under "Lives in:"`];
  return livesIn.flatMap((path) => {
    const texts = textsAt(path, files);
    if (texts.length === 0) return [`${file} lives in ${path}, which does not exist`];
    const cited = texts.some((text) => citationsIn(text).some((each) => each.number === number));
    // Outside the citing folders are settings of tools, which cannot hold a comment.
    if (cited || !CITING_FOLDERS.test(path)) return [];
    return [`${path} holds ${file} but does not cite Decision ${number}`];
  });
}

function proofComplaints({ file, provenBy }: DecisionRecord, files: Files): string[] {
  if (provenBy.length === 0) return [`${file} names no test after "· proven by:"`];
  return provenBy.flatMap(({ path, test }) => {
    const texts = textsAt(path, files);
    if (texts.length === 0) return [`${file} is proven by ${path}, which does not exist`];
    if (test === undefined || texts.some((text) => text.includes(test))) return [];
    return [`${file} is proven by "${test}", which ${path} does not contain`];
  });
}

function textsAt(path: string, files: Files): string[] {
  const text = files.get(path);
  if (text !== undefined) return [text];
  if (!path.endsWith("/")) return [];
  return [...files].filter(([file]) => file.startsWith(path)).map(([, each]) => each);
}

function citationComplaints(numbers: Set<string>, files: Files): string[] {
  return [...files]
    .filter(([file]) => CITING_FOLDERS.test(file))
    .flatMap(([file, text]) =>
      citationsIn(text)
        .filter(({ number }) => !numbers.has(number))
        .map(
          ({ number, line }) => `${file}:${line} cites Decision ${number}, which does not exist`,
        ),
    );
}

function registerComplaints(records: readonly DecisionRecord[], files: Files): string[] {
  const rows = (files.get(REGISTER) ?? "").split("\n").filter((line) => line.startsWith("|"));
  const links = rows.flatMap((row) => row.match(/(?<=\]\()(\.\/)?\d{4}-[^)#]+(?=[)#])/g) ?? []);
  const linked = links.map((link) => FOLDER + link.replace(/^\.\//, ""));
  const places = rows.flatMap((row) => row.match(/(?<=`)[\w.-]+\/[\w./-]+(?=`)/g) ?? []);
  return [
    ...places
      .filter((place) => textsAt(place, files).length === 0)
      .map((place) => `${REGISTER} names ${place}, which does not exist`),
    ...records
      .filter(({ file }) => !linked.includes(file))
      .map(({ file }) => `${REGISTER} has no row that links to ${file}`),
    ...linked
      .filter((file) => !files.has(file))
      .map((file) => `${REGISTER} links to ${file}, which does not exist`),
    ...linked
      .filter((file, at) => linked.indexOf(file) !== at)
      .map((file) => `${REGISTER} links to ${file} twice`),
  ];
}
