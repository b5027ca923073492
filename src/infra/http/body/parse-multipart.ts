/**
 * A whole multipart/form-data body as its fields and its one file.
 *
 * Ours and not a package's: the one at hand (@fastify/busboy) skips any amount of bytes before the
 * first part, takes a field twice, and gives the file in pieces that would have to be joined again.
 * A form with one picture has few parts, and each is found by one search.
 *
 * It never throws. What is wrong is one sentence, reported after the state was checked; the fields
 * are returned along, because `_method` decides what the request is.
 */

import type { Upload } from "../route.ts";
import { isPoisonous, keyName, nulSentence } from "./bad-body.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { readPartHead } from "./multipart-head.ts";

const PARTS_MAX = 10;
const HEAD_BYTES_MAX = 8_192;
const FIELD_BYTES_MAX = 1_024;
/** What may stand before the first and after the last boundary, which is not read. */
const MARGIN_BYTES_MAX = 1_024;

export interface FormRules {
  readonly fileField: string;
  readonly fileBytesMax: number;
}

/** Its parts cannot even be told apart. */
class Malformed extends Error {}

export const MALFORMED = "The body is not valid multipart form data.";

export function required(field: string): string {
  return `The ${field} field is required.`;
}

/** `isCut`: these are only the first bytes of a body that is longer than any good one. */
export function parseMultipart(
  body: Buffer,
  boundary: string,
  rules: FormRules & { isCut?: boolean },
): Upload {
  const form = createForm(rules);
  try {
    readParts(body, boundary, form.add);
    if (rules.isCut) form.refuse(MALFORMED);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    form.refuse(MALFORMED);
  }
  const { fields, file, problem } = form.whatItHolds();
  if (problem !== undefined) return { fields, problem, ...(rules.isCut ? { tooLarge: true } : {}) };
  return file === undefined || file.length === 0
    ? { fields, problem: required(rules.fileField) }
    : { fields, file };
}

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: Buffer;
}

/** The first thing that is wrong is kept, and reading goes on: a later field may be `_method`. */
function createForm({ fileField, fileBytesMax }: FormRules) {
  // No prototype: `toString` is a field like any other.
  const fields: Record<string, string> = Object.create(null);
  let file: Buffer | undefined;
  let files = 0;
  let problem: string | undefined;
  const refuse = (sentence: string): void => {
    problem ??= sentence;
  };

  function addFile({ name, bytes }: Part): void {
    files++;
    if (files > 1) refuse("The body may hold only one file.");
    if (bytes.length > fileBytesMax)
      refuse(`The ${fileField} may not be greater than ${fileBytesMax / 1_048_576} MB.`);
    if (name === fileField) file = bytes;
  }

  function addField({ name, bytes }: Part): void {
    const wrong = refusalOfField(name, bytes, name in fields);
    if (wrong !== undefined) refuse(wrong);
    else fields[name] = bytes.toString("utf8");
    if (name !== fileField) return;
    refuse(bytes.length === 0 ? required(fileField) : `The ${fileField} must be a file.`);
  }

  return {
    refuse,
    add: (part: Part) => (part.isFile ? addFile(part) : addField(part)),
    whatItHolds: () => ({ fields, file, problem }),
  };
}

function refusalOfField(name: string, bytes: Buffer, isThere: boolean): string | undefined {
  const shown = keyName(name)?.replaceAll("_", " ").trim();
  const label = shown === undefined ? "A field" : `The ${shown} field`;
  if (name.includes("\0")) return MALFORMED;
  if (isPoisonous(name)) return "The body has a key that is not allowed.";
  if (bytes.length > FIELD_BYTES_MAX)
    return `${label} must not be longer than ${FIELD_BYTES_MAX} bytes.`;
  if (isThere) return `${label} is given more than once.`;
  if (decodeUtf8(bytes) === undefined) return MALFORMED;
  if (!bytes.includes(0)) return undefined;
  return shown === undefined ? "The body holds a NUL character." : nulSentence(shown);
}

function readParts(body: Buffer, boundary: string, add: (part: Part) => void): void {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let at = afterPreamble(body, delimiter);
  for (let parts = 1; ; parts++) {
    const line = takeBoundaryEnd(body, at);
    if (line.isLast) return;
    if (parts > PARTS_MAX) throw new Malformed();
    const { start, ...head } = takeHead(body, line.end);
    const end = body.indexOf(delimiter, start);
    add({ ...head, bytes: body.subarray(start, end === -1 ? body.length : end) });
    if (end === -1) throw new Malformed();
    at = end + delimiter.length;
  }
}

/** Right behind the first boundary. */
function afterPreamble(body: Buffer, delimiter: Buffer): number {
  const opening = delimiter.subarray(2);
  if (body.subarray(0, opening.length).equals(opening)) return opening.length;
  const head = body.subarray(0, MARGIN_BYTES_MAX + delimiter.length);
  const found = head.indexOf(delimiter);
  if (found === -1) throw new Malformed();
  return found + delimiter.length;
}

/** What follows a boundary: the end of its line, or two hyphens and the end of everything. */
function takeBoundaryEnd(body: Buffer, at: number): { isLast: boolean; end: number } {
  const isLast = body.toString("latin1", at, at + 2) === "--";
  const from = isLast ? at + 2 : at;
  const rest = body.toString("latin1", from, from + MARGIN_BYTES_MAX);
  // Blanks may pad the line, says RFC 2046, and some gateways do.
  const [line = ""] = /^[ \t]*(\r\n|$)/.exec(rest) ?? ["-"];
  const isWhole = line.endsWith("\r\n") || (isLast && from + line.length === body.length);
  if (!isWhole || line === "-") throw new Malformed();
  if (isLast && body.length - from > MARGIN_BYTES_MAX) throw new Malformed();
  return { isLast, end: from + line.length };
}

function takeHead(body: Buffer, at: number): { name: string; isFile: boolean; start: number } {
  const room = body.subarray(at, at + HEAD_BYTES_MAX);
  const end = room.indexOf("\r\n\r\n");
  // Field names are UTF-8; of the file name, which may be anything, only that it is there counts.
  const head = end === -1 ? undefined : readPartHead(room.toString("utf8", 0, end));
  if (head === undefined) throw new Malformed();
  return { ...head, start: at + end + 4 };
}
