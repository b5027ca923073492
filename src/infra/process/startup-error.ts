/** Why a command of ours did not work, in words of a person who wants it to. */

import process from "node:process";
import { DatabaseError } from "pg";
import { Unavailable } from "../../kit/errors.ts";
import { BadSettings } from "../config.ts";
import { SettingsAreDropped } from "../db/database.ts";
import { doesNotAnswer, isDistrusted } from "../db/database-errors.ts";
import { CommitUnknown } from "../db/end-transaction.ts";
import { SchemaIsNewer } from "../db/migrate.ts";
import { UsedInProduction } from "../db/production-use.ts";
import {
  CannotStartDatabase,
  USE_ANOTHER_DATABASE,
} from "../embedded-postgres/cannot-start-database.ts";
import { HostNotFound } from "../http/listen/listen-addresses.ts";
import { TracingNotStarted } from "./start-tracing.ts";

/** Carries the reason that a worker gave to its supervisor. */
export class WorkerDidNotStart extends Error {}

const SPEAKS_FOR_ITSELF = [
  BadSettings,
  CannotStartDatabase,
  CommitUnknown,
  HostNotFound,
  SchemaIsNewer,
  SettingsAreDropped,
  TracingNotStarted,
  UsedInProduction,
  WorkerDidNotStart,
];
/** Refused connections, such as those without TLS, and a full server: its own words are best. */
const IN_TROUBLE = /^(08|28|53)/;

interface Failure {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
  /** The setting that a port came from, where it is not PORT. */
  readonly setting?: string;
}

export function reportStartupError(what: string, error: unknown): void {
  process.stderr.write(`\n${what} ${reasonOf(error)}\n`);
}

/** There is no DATABASE_URL to blame when the database is our own. */
export function explainEmbedded(error: unknown): unknown {
  const cause = error instanceof Unavailable ? error.cause : error;
  if (!doesNotAnswer(cause)) return error;
  return new CannotStartDatabase(
    "The embedded PostgreSQL does not answer; the machine may be very busy. Start it again when " +
      `it is quieter, or ${USE_ANOTHER_DATABASE}.`,
    { cause },
  );
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable && error.cause !== undefined) return reasonOf(error.cause);
  if (SPEAKS_FOR_ITSELF.some((kind) => error instanceof kind)) return error.message;
  const { code = "", port, address, setting = "PORT" } = error as Failure;
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop whatever uses it, or set ${setting} to another.`;
  if (code === "EACCES" && port !== undefined)
    return `Port ${port} needs more rights than this user has. Set ${setting} to one above 1023.`;
  if (code === "EADDRNOTAVAIL") return `This machine has no address ${address}. Set HOST.`;
  if (doesNotAnswer(error))
    return "PostgreSQL at DATABASE_URL does not answer. Is it running, and is the address right?";
  if (code === "28P01") return "PostgreSQL at DATABASE_URL refuses the user or the password.";
  if (isDistrusted(error)) {
    const [reason] = error.message.split(";");
    return `PostgreSQL at DATABASE_URL does not prove who it is, as sslmode asks: ${reason}.`;
  }
  if (code === "3D000")
    return "The database named in DATABASE_URL does not exist. Create it first.";
  if (error instanceof DatabaseError && IN_TROUBLE.test(code))
    return `PostgreSQL at DATABASE_URL says: ${error.message}.`;
  return error.stack ?? error.message;
}
