/**
 * What an error of PostgreSQL means to us: a lost race (retry), the database is in trouble
 * (503), a rule that a module has a name for, or a mistake of ours.
 */

import { type ServiceError, Unavailable } from "../../kit/errors.ts";

interface DatabaseError extends Error {
  readonly code?: string;
  /** The function of PostgreSQL that raised it, which no language changes. */
  readonly routine?: string;
  readonly constraint?: string;
}

const SERIALIZATION_FAILURE = "40001";
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";
const FEATURE_NOT_SUPPORTED = "0A000";
const UNDEFINED_TABLE = "42P01";

/** Classes and codes after which the same request may succeed a moment later. */
const TROUBLE = [
  /^08/, // connection exceptions
  /^53/, // out of disk, memory, connections
  /^57014$/, // statement timeout
  /^55P03$/, // lock timeout
  /^25006$/, // read-only: a standby, or a primary being replaced
  /^25P0[34]$/, // idle-in-transaction and transaction timeouts
  /^28/, // a user, a password or an address that the server refuses: one is being replaced
  /^58/, // I/O
];
/** No connection, or one that broke; and a server that shuts down, crashed or starts. */
const NO_ANSWER =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|57P0.)$/;
/** What Node calls a certificate that it does not trust, or that is for another host. */
const DISTRUST = /CERT|^(UNABLE_TO_|HOSTNAME_MISMATCH|ERR_SSL_|ERR_TLS_)/;
const WITHOUT_TLS = "The server does not support SSL connections";
const READ_TIMEOUT = "Query read timeout";
const NO_ANSWER_MESSAGES = [
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Connection terminated",
  READ_TIMEOUT,
  "Client has encountered a connection error",
  "Client was closed",
  "Cannot use a pool after calling end",
];

/** Data, constraints, syntax, and what a trigger raises: the database understood and said no. */
export function isPlainRefusal(error: unknown): boolean {
  return /^(22|23|42|P0)/.test(codeOf(error) ?? "");
}

export function mayRetry(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || hasStalePlan(error);
}

/** A column that a prepared statement gives has another type since a migration. */
export function hasStalePlan(error: unknown): boolean {
  return error instanceof Error && error.message === "cached plan must not change result type";
}

/**
 * A table without WAL is asked for on a standby, or on a primary that is still being promoted.
 * PostgreSQL has no code of its own for it.
 */
function isUnloggedInRecovery(error: unknown): boolean {
  if (codeOf(error) !== FEATURE_NOT_SUPPORTED) return false;
  return (error as DatabaseError).routine === "get_relation_info";
}

export function doesNotAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    NO_ANSWER.test(codeOf(error) ?? "") ||
    NO_ANSWER_MESSAGES.some((words) => error.message.startsWith(words))
  );
}

/** The server does not prove who it is, as `sslmode` in its address asks. */
export function isDistrusted(error: unknown): boolean {
  return (
    DISTRUST.test(codeOf(error) ?? "") || (error instanceof Error && error.message === WITHOUT_TLS)
  );
}

/**
 * A statement that waited too long, for a lock or altogether; PostgreSQL then undoes what it did.
 */
export function gaveUpWaiting(error: unknown): boolean {
  return /^(55P03|57014)$/.test(codeOf(error) ?? "");
}

/** At COMMIT this is a plain no: what waits there for a lock has committed nothing yet. */
export function gaveUpOnLock(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/** The 503 this error stands for, or undefined when it is not the database's trouble. */
export function asUnavailable(error: unknown): Unavailable | undefined {
  if (error instanceof Unavailable) return error;
  const code = codeOf(error) ?? "";
  const inTrouble =
    mayRetry(error) ||
    isDistrusted(error) ||
    isUnloggedInRecovery(error) ||
    TROUBLE.some((pattern) => pattern.test(code)) ||
    doesNotAnswer(error) ||
    (error instanceof AggregateError && error.errors.some((one) => asUnavailable(one)));
  return inTrouble ? new Unavailable({ cause: error }) : undefined;
}

/** By what an error is known, and what it says to an operator, without hosts, users or SQL. */
const TROUBLE_IN_WORDS: readonly { isIt: (error: unknown) => boolean; words: string }[] = [
  { isIt: isDistrusted, words: "The database does not prove who it is, as sslmode asks." },
  { isIt: isOf(/^28/), words: "The database refuses our user or password." },
  { isIt: isOf(/^3D000$/), words: "The server has no database of this name." },
  { isIt: isOf(/^53/), words: "The database has run out of disk, memory or connections." },
  { isIt: isOf(/^58/), words: "The database cannot read or write its files." },
  { isIt: isOf(/^25006$/), words: "The database is in recovery: a standby, or being promoted." },
  { isIt: gaveUpWaiting, words: "The database takes too long." },
  {
    isIt: isPoolEmpty,
    words: "No connection was free, and none could be opened in time.",
  },
  { isIt: doesNotAnswer, words: "The database does not answer." },
];

export function troubleInWords(error: unknown): string {
  if (error instanceof Unavailable) return troubleInWords(error.cause);
  const each = error instanceof AggregateError ? error.errors : [error];
  const found = TROUBLE_IN_WORDS.find(({ isIt }) => each.some(isIt));
  return found?.words ?? "The database is in trouble; the log says more.";
}

export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === UNDEFINED_TABLE;
}

/** All connections of the pool are in use, and none became free in time. */
export function isPoolEmpty(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

/** The server did not answer a statement within its `query_timeout`. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === READ_TIMEOUT;
}

function isOf(pattern: RegExp): (error: unknown) => boolean {
  return (error) => pattern.test(codeOf(error) ?? "");
}

/**
 * Turns a violated constraint into the refusal that its module named for it: the constraint is the
 * rule, so the check and the write cannot come apart.
 */
export async function onConstraint<T>(
  refusals: Readonly<Record<string, (cause: unknown) => ServiceError>>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const name = (error as DatabaseError).constraint;
    const refusal = name === undefined ? undefined : refusals[name];
    throw refusal === undefined ? error : refusal(error);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as DatabaseError).code : undefined;
}
