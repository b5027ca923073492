/** Settings of the database: where it is, and how much of it a process takes. */

import { accessSync, constants } from "node:fs";
import path from "node:path";
import { integer, Mistake, type Stage, text, url } from "./setting-kinds.ts";

const POSTGRES = ["postgres:", "postgresql:"];

export const DATABASE_DECLARED = {
  DATABASE_URL: url(
    POSTGRES,
    {
      isDemanded: true,
      check: (address) => demandReadableFiles("DATABASE_URL", address),
      example: "postgres://windward:secret@db.example.com:5432/windward",
    },
    "A PostgreSQL 15 or later; over a network with ?sslmode=verify-full&sslrootcert=<file>. " +
      "Without it an embedded PostgreSQL is started (development).",
  ),
  STANDBY_DATABASE_URL: url(
    POSTGRES,
    {
      check: (address) => demandReadableFiles("STANDBY_DATABASE_URL", address),
      example: "postgres://windward:secret@standby.example.com:5432/windward",
    },
    "A standby of the same database, from which lists, statements and files are read while it " +
      "has all that was committed. Without it everything is read from the primary.",
  ),
  DATA_DIR: text("./.data", "Where the embedded PostgreSQL keeps its data."),
  DATABASE_CONNECTIONS_MAX: integer(
    { min: 6, max: 100, preset: "10" },
    "Database connections of each process, and up to 4 more of one that works in the " +
      "background; a request that finds none within 2 s gets a 503. As many again to a standby.",
  ),
};

type Values = {
  readonly [Name in keyof typeof DATABASE_DECLARED]: ReturnType<
    (typeof DATABASE_DECLARED)[Name]["read"]
  >;
};

export function databaseOf(given: Values, { stage }: { stage: Stage }) {
  return {
    /** Production marks its database, and no other stage starts on one (Decision 0141). */
    isProduction: stage === "production",
    url: given.DATABASE_URL,
    /** Undefined: everything is read from the primary (Decision 0125). */
    standbyUrl: given.STANDBY_DATABASE_URL,
    dataDir: path.resolve(given.DATA_DIR),
    connectionsMax: given.DATABASE_CONNECTIONS_MAX,
  };
}

/** The embedded one has no standby. */
export function databaseMistakes(given: Partial<Values>): string[] {
  const isAlone = given.STANDBY_DATABASE_URL !== undefined && given.DATABASE_URL === undefined;
  return isAlone ? ["STANDBY_DATABASE_URL needs DATABASE_URL, whose standby it is."] : [];
}

/** The files that TLS needs: they are opened for each connection, long after the start. */
function demandReadableFiles(setting: string, { searchParams }: URL): void {
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = searchParams.get(name);
    try {
      if (file !== null) accessSync(file, constants.R_OK);
    } catch {
      throw new Mistake(`${setting} names a file that cannot be read: ${name}=${file}.`);
    }
  }
}
