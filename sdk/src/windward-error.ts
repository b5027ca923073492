/**
 * The one error of the SDK: the service refused, or did not answer.
 *
 * It holds what helps to mend it and nothing that was sent: no header, no body, no credential may
 * reach a log by way of an error.
 */

export interface WindwardErrorParts {
  /** What happened, in one sentence. */
  readonly message: string;
  readonly status?: number;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: unknown;
}

export class WindwardError extends Error {
  override readonly name = "WindwardError";
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /** Which error it is; `/docs/errors/<code>` of the service says more. */
  readonly code: string | undefined;
  /** What happened, without the hint and the names that `message` adds to it. */
  readonly detail: string;
  /** The field that it is about, where it is about one. */
  readonly field: string | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** The `X-Request-Id` of the answer: tell us, and we find the request. */
  readonly requestId: string | undefined;
  /** When to come back, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The answer's body; a payment request that was refused has more than a sentence. */
  readonly body: unknown;

  constructor(parts: WindwardErrorParts) {
    const { message: detail, status = 0, code, hint, requestId, retryAfterSeconds, body } = parts;
    const isAboutField = status === 400 || status === 422;
    const field = parts.field ?? (isAboutField ? fieldIn(detail) : undefined);
    super(wholeMessage(detail, { code, field, hint, requestId }));
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.field = field;
    this.hint = hint;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
}

/** Everything that helps to find the cause, because a log often keeps the message alone. */
function wholeMessage(
  detail: string,
  { code, field, hint, requestId }: Omit<WindwardErrorParts, "message">,
): string {
  const names = [
    ...(code === undefined ? [] : [code]),
    ...(field === undefined ? [] : [`field ${field}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const end = /[.!?:]$/.test(detail) ? " " : ". ";
  const sentences = hint === undefined ? detail : `${detail}${end}${hint}`;
  return names.length === 0 ? sentences : `${sentences} (${names.join(", ")})`;
}

/** An answer that is no success, with its body as it was read. */
export function refusalOf(response: Response, body: unknown): WindwardError {
  const { status, headers } = response;
  const said = (body ?? {}) as Readonly<Record<string, unknown>>;
  return new WindwardError({
    message: textOf(said.message) ?? `The service answered ${status}.`,
    status,
    code: headers.get("x-svc-error") ?? undefined,
    field: textOf(said.field),
    hint: textOf(said.hint),
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterOf(headers),
    body,
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** In whole seconds, as the service tells it. */
export function retryAfterOf(headers: Headers): number | undefined {
  const given = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(given) ? Number(given) : undefined;
}

/**
 * For a body without `field`. A sentence about a field begins with its name, in which spaces stand
 * for underscores.
 */
function fieldIn(message: string): string | undefined {
  const label = /^The ([A-Za-z][\w -]*?) (?:field (?:is|has)|format is|must) /.exec(message)?.[1];
  return label?.replaceAll(" ", "_");
}
