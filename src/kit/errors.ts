/**
 * How things go wrong, in three kinds.
 *
 * A caller who can mend it gets a `ServiceError` with a public sentence (and a private `cause` for
 * the log). When something outside is down it is `Unavailable`. When we are wrong it is a plain
 * assertion, which becomes a 500. Refusals are small classes beside the use case that throws them.
 */

export interface RefusalParts {
  readonly status: number;
  /** Stable name for logs and metrics; never shown to the caller. */
  readonly code: string;
  /** The sentence the caller reads. */
  readonly message: string;
  /** Further fields of the body, only where the interface lists them. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The private half: which check failed, for the log. */
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(parts: RefusalParts) {
    super(parts.message, { cause: parts.cause });
    this.status = parts.status;
    this.code = parts.code;
    this.extra = parts.extra ?? {};
    this.headers = parts.headers ?? {};
  }
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
  constructor(message: string) {
    super({ status: 400, code: "field_refused", message });
  }
}

/** Something we stand on is down or too busy; the same request may work a moment later. */
export class Unavailable extends ServiceError {
  constructor(parts: { cause: unknown; retryAfterSeconds?: number }) {
    super({
      status: 503,
      code: "unavailable",
      message: "Service Unavailable",
      headers: { "retry-after": String(parts.retryAfterSeconds ?? 1) },
      cause: parts.cause,
    });
  }
}

/** An id that does not exist or belongs to someone else: both look the same from outside. */
export class NotFound extends ServiceError {
  constructor(cause?: unknown) {
    super({ status: 404, code: "not_found", message: "Not Found", cause });
  }
}

/** The account may not do this, whatever its scopes. */
export class Forbidden extends ServiceError {
  constructor(cause?: unknown) {
    super({ status: 403, code: "forbidden", message: "Forbidden", cause });
  }
}

/** The credential does not carry a scope that this asks for. */
export class ScopeRefused extends ServiceError {
  constructor(wanted: readonly string[]) {
    super({
      status: 403,
      code: "scope_refused",
      message: "Invalid scope(s) provided.",
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
