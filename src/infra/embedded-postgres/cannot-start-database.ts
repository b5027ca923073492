/**
 * Errors of the embedded PostgreSQL that a person can fix. Each is one sentence and what to do
 * next, because the message alone is printed after `npm start` has failed.
 */

export class CannotStartDatabase extends Error {
  override readonly name = "CannotStartDatabase";
}

export const USE_ANOTHER_DATABASE = "set DATABASE_URL to a PostgreSQL 15 or later";

/** `by` is a process, as in "PostgreSQL process 4711". */
export function inUse({ dataDir, by }: { dataDir: string; by: string }): CannotStartDatabase {
  return new CannotStartDatabase(
    `The folder ${dataDir} is in use by another Windward (${by}). ` +
      "Stop it, or set DATA_DIR to another folder, or share one database with DATABASE_URL.",
  );
}

/**
 * An error of the file system as a sentence; anything else is a fault of ours and is returned as it
 * is.
 */
export function explainFileError({ error, dataDir }: { error: unknown; dataDir: string }): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const options = { cause: error };
  if (code === "EEXIST" || code === "ENOTDIR") {
    return new CannotStartDatabase(
      `${dataDir} is a file or lies in one, but must be a folder. Set DATA_DIR to another folder.`,
      options,
    );
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new CannotStartDatabase(
      `The folder ${dataDir} cannot be written (${code}). ` +
        "Give this user access to it, or set DATA_DIR to another folder, " +
        `or ${USE_ANOTHER_DATABASE}.`,
      options,
    );
  }
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull({ dataDir, options });
  return error;
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
    return diskFull({ dataDir });
  return new CannotStartDatabase(
    `${program} could not start in ${dataDir} (${how}). Mend what it says below and start again, ` +
      `or ${USE_ANOTHER_DATABASE}.\n${lastWords || "It said nothing."}`,
  );
}

function diskFull(about: { dataDir: string; options?: ErrorOptions }): CannotStartDatabase {
  return new CannotStartDatabase(
    `The disk that holds ${about.dataDir} is full. Free some space and start again, ` +
      "or set DATA_DIR to a folder on another disk.",
    about.options,
  );
}
