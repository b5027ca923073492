/**
 * How things go wrong, in three kinds.
 *
 * A caller who can mend it gets a `ServiceError` with a public sentence (and a private `cause` for
 * the log). When something outside is down it is `Unavailable`. When we are wrong it is a plain
 * assertion, which becomes a 500. Refusals are small classes beside the use case that throws them;
 * the catalogue has the status of each, and the sentence where it never varies.
 */

import { CATALOGUE, type ErrorCode, type FieldErrorCode } from "./error-catalogue/catalogue.ts";

/** What to do about it; a function where making it costs more than most callers need. */
export type Hint = string | (() => string);

export interface RefusalParts {
  /** The sentence the caller reads. Absent: the catalogue's, about the catalogue's field. */
  readonly message?: string;
  /** The field it is about, as it is sent. */
  readonly field?: string | undefined;
  /** Absent: the catalogue's. */
  readonly hint?: Hint | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The private half: which check failed, for the log. */
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly status: number;
  /** Its name in the catalogue, which callers see too. */
  readonly code: ErrorCode;
  /** Further fields of the body, only where the interface lists them. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  #field: string | undefined;
  #hint: Hint | undefined;

  constructor(code: ErrorCode, { message, field, hint, headers, cause }: RefusalParts = {}) {
    const entry = CATALOGUE[code];
    super(message ?? entry.example, { cause });
    this.status = entry.status;
    this.code = code;
    this.extra = entry.extra ?? {};
    this.headers = headers ?? {};
    this.#field = message === undefined ? entry.field : field;
    this.#hint = hint;
  }

  get field(): string | undefined {
    return this.#field;
  }

  /** What to do about it, and when, where another try may succeed. */
  get hint(): string {
    const given = this.#hint ?? CATALOGUE[this.code].hint;
    const words = typeof given === "function" ? given() : given;
    const seconds = this.headers["retry-after"];
    if (seconds === undefined) return words;
    return `Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}. ${words}`;
  }

  /** Adds what only the reader of the fields knows; what the refusal itself says goes first. */
  addContext(field: string, hint: Hint): void {
    this.#field ??= field;
    this.#hint ??= hint;
  }
}

/** A refusal that says no more than the catalogue does, as `NotFound` below. */
export function fixedRefusal(code: ErrorCode, parts: RefusalParts = {}) {
  return class extends ServiceError {
    constructor(cause?: unknown) {
      super(code, { cause, ...parts });
    }
  };
}

/** The refusal that an attempt ends with, for documents that quote it. */
export function refusalOf(attempt: () => unknown): ServiceError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** A field or the body breaks a rule; the sentence names the field. */
export class FieldRefused extends ServiceError {
  constructor(message: string, { code = "field_invalid", ...about }: FieldRefusalParts = {}) {
    super(code, { message, ...about });
  }
}

type FieldRefusalParts = Partial<Pick<RefusalParts, "field" | "hint">> & {
  readonly code?: FieldErrorCode | "account_takes_no_payments" | "idempotency_key_invalid";
};

/** Two fields, each valid by itself, do not go together. */
export class FieldsConflict extends FieldRefused {
  constructor(message: string, field?: string) {
    super(message, { code: "fields_conflict", field });
  }
}

/** A change that changes nothing. */
export class NothingToChange extends FieldRefused {
  constructor(message: string) {
    super(message, { code: "nothing_to_change" });
  }
}

/** Something we stand on is down or too busy; the same request may work a moment later. */
export class Unavailable extends ServiceError {
  constructor(parts: { cause: unknown; retryAfterSeconds?: number }) {
    super("unavailable", {
      headers: { "retry-after": String(parts.retryAfterSeconds ?? 1) },
      cause: parts.cause,
    });
  }
}

/** An id that does not exist or belongs to someone else: both look the same from outside. */
export class NotFound extends fixedRefusal("not_found") {}

/** For the operator, in a terminal or a log; never sent over HTTP. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** What the operator named does not exist: a page of it is 404. */
export class NoSuchRecord extends OperatorError {}

/** Refused for what goes on at this moment: the same may be possible in a while. */
export class NotNow extends OperatorError {}

/** The account may not do this, whatever its scopes. */
export class Forbidden extends ServiceError {
  constructor(cause?: unknown, hint?: string) {
    super("forbidden", { hint, cause });
  }
}

/** The credential does not carry a scope that this asks for. */
export class ScopeRefused extends ServiceError {
  constructor(wanted: readonly string[], held?: Iterable<string>, needed: "any" | "all" = "any") {
    super("insufficient_scope", {
      hint: held === undefined ? undefined : () => scopeHint(wanted, [...held], needed),
      headers: {
        "www-authenticate": [
          'Bearer realm="svc"',
          'error="insufficient_scope"',
          `scope="${wanted.join(" ")}"`,
        ].join(", "),
      },
    });
  }
}

function scopeHint(
  wanted: readonly string[],
  held: readonly string[],
  needed: "any" | "all",
): string {
  const has = held.length === 0 ? "no scope" : held.join(", ");
  const needs = wanted.join(needed === "any" ? " or " : " and ");
  return `Use a credential with ${needs}; this one has ${has}.`;
}
