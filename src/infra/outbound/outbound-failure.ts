/**
 * Why nothing came back: a word for programs and a sentence for the merchant who reads the attempt.
 * It never names an address: what a name leads to inside our network stays private.
 */

/** The whole vocabulary; it is kept with each attempt, so a word is never renamed. */
export type FailureWord =
  /** The URL is none that events may be sent to (any more). */
  | "bad_url"
  /** The name, or the connection itself, led to an address that is not public. */
  | "address_refused"
  | "dns_failed"
  | "dns_timeout"
  | "connect_failed"
  | "connect_timeout"
  | "tls_failed"
  | "tls_timeout"
  /** Closed or reset before there was an answer. */
  | "connection_lost"
  /** What came back is not HTTP. */
  | "bad_answer"
  | "headers_too_large"
  /** No answer in all the time there was. */
  | "timeout"
  /** This process is stopping; the receiver is not to blame. */
  | "stopped";

export class OutboundFailure extends Error {
  readonly word: FailureWord;

  constructor(word: FailureWord, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.word = word;
  }
}

/** What an error says about itself, when it says it in capitals. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : "";
}

/** The sentence with the code behind it, where there is one. */
export function withCode(sentence: string, error: unknown): string {
  const code = codeOf(error);
  return code === "" ? `${sentence}.` : `${sentence} (${code}).`;
}
