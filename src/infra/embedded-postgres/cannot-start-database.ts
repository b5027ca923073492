/**
 * Errors of the embedded PostgreSQL that a person can fix. Each is one sentence and what to do
 * next, because the message alone is printed after `npm start` has failed.
 */

export class CannotStartDatabase extends Error {
  override readonly name = "CannotStartDatabase";
}

const LAST_LINES_MAX = 8;
export const USE_ANOTHER_DATABASE = "set DATABASE_URL to a PostgreSQL 15 or later";

/** `by` is a process, as in "PostgreSQL process 4711". */
export function inUse(dataDir: string, by: string): CannotStartDatabase {
  return new CannotStartDatabase(
    `The folder ${dataDir} is in use by another Windward (${by}). ` +
      "Stop it, or set DATA_DIR to another folder, or share one database with DATABASE_URL.",
  );
}

/** An error of the file system as a sentence; anything else is a fault of ours and is unchanged. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const sentence = fileSentence(code, dataDir);
  return sentence === undefined ? error : new CannotStartDatabase(sentence, { cause: error });
}

function fileSentence(code: string, dataDir: string): string | undefined {
  if (/^(EEXIST|ENOTDIR)$/.test(code))
    return (
      `${dataDir} is a file or lies in one, but must be a folder. ` +
      "Set DATA_DIR to another folder."
    );
  if (/^(EACCES|EPERM|EROFS)$/.test(code))
    return (
      `The folder ${dataDir} cannot be written (${code}). ` +
      `Give this user access to it, or set DATA_DIR to another folder, or ${USE_ANOTHER_DATABASE}.`
    );
  return /^(ENOSPC|EDQUOT)$/.test(code) ? diskFull(dataDir) : undefined;
}

/** PostgreSQL or initdb ended instead of starting: the end of its log explains it best. */
export function endedAtStart(about: {
  program: string;
  how: string;
  lastWords: string;
  dataDir: string;
}): CannotStartDatabase {
  const { program, how, lastWords, dataDir } = about;
  if (/No space left on device|Check free disk space|Disk quota exceeded/.test(lastWords))
    return new CannotStartDatabase(diskFull(dataDir));
  return new CannotStartDatabase(
    `${program} could not start in ${dataDir} (${how}). Mend what it says below and start again, ` +
      `or ${USE_ANOTHER_DATABASE}.\n${lastWords || "It said nothing."}`,
  );
}

function diskFull(dataDir: string): string {
  return (
    `The disk that holds ${dataDir} is full. Free some space and start again, ` +
    "or set DATA_DIR to a folder on another disk."
  );
}

/** Of what a program printed or logged, as much as a person needs. */
export function lastLines(text: string): string {
  return text.trim().split("\n").slice(-LAST_LINES_MAX).join("\n");
}
