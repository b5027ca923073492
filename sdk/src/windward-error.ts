/**
 * The one error of the SDK: the service said no, or nothing was heard from it.
 *
 * It holds what helps to mend it and nothing that was sent: no header, no body, no credential may
 * reach a log by way of an error.
 */

export interface WindwardErrorParts {
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: unknown;
}

export class WindwardError extends Error {
  override readonly name = "WindwardError";
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /** The `X-Request-Id` of the answer: tell us, and we find the request. */
  readonly requestId: string | undefined;
  /** The field that the sentence is about, where it is about one. */
  readonly field: string | undefined;
  /** When to come back, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The answer's body; a payment request that was refused has more than a sentence. */
  readonly body: unknown;

  constructor({ message, status = 0, requestId, retryAfterSeconds, body }: WindwardErrorParts) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.field = status === 400 || status === 422 ? fieldIn(message) : undefined;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
}

/** An answer that is no success, with its body as it was read. */
export function refusalOf(response: Response, body: unknown): WindwardError {
  const { status, headers } = response;
  const said = (body as { message?: unknown } | null | undefined)?.message;
  return new WindwardError({
    message: typeof said === "string" ? said : `The service answered ${status}.`,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterOf(headers),
    body,
  });
}

/** In whole seconds, as the service tells it. */
export function retryAfterOf(headers: Headers): number | undefined {
  const given = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(given) ? Number(given) : undefined;
}

/** A sentence about a field begins with its name, in which spaces stand for underscores. */
function fieldIn(message: string): string | undefined {
  const label = /^The ([A-Za-z][\w -]*?) (?:field (?:is|has)|format is|must) /.exec(message)?.[1];
  return label?.replaceAll(" ", "_");
}
