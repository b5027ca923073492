/**
 * One request and its answer, within limits on time and bytes (Decision 0035).
 *
 * The status is the answer. Once it is there the body can only add the text that is shown beside
 * it, so a body that is slow, endless or broken takes nothing back, and is let go of after 64 KiB
 * or two seconds together with its connection.
 */

import type { Dispatcher } from "undici";
import { answerHead, HEAD_LENGTH_MAX } from "./answer-head.ts";
import { codeOf, OutboundFailure, withCode } from "./outbound-failure.ts";

const BODY_BYTES_MAX = 64 * 1024;
const BODY_MS = 2_000;
/** "Wait, there is more" is legal any number of times; no honest receiver says it this often. */
const INTERIM_ANSWERS_MAX = 10;
/** Of protocols, which was not requested. */
const SWITCHING = 101;
const RETRY_AFTER_LENGTH_MAX = 100;

export interface Received {
  readonly status: number;
  readonly head: string;
  readonly retryAfter?: string;
}

interface OutboundRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with `OutboundFailure`. */
export function sendRequest(dispatcher: Dispatcher, request: OutboundRequest): Promise<Received> {
  const listener = new Listener(request);
  const { url, headers, body } = request;
  dispatcher.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method: "POST", headers, body },
    listener,
  );
  return listener.received;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface AnswerBegun {
  readonly status: number;
  readonly headers: Headers;
}

class Listener implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<Received>();
  readonly #signal: AbortSignal;
  readonly #deadline: number;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: AnswerBegun | undefined;
  #interimAnswers = 0;
  #bodyLength = 0;
  #beginning: Buffer[] = [];
  #isOver = false;

  constructor({ timeoutMs, signal }: OutboundRequest) {
    this.#signal = signal;
    this.#deadline = performance.now() + timeoutMs;
    const late = new OutboundFailure("timeout", `No answer within ${timeoutMs / 1000} s.`);
    this.#timer = setTimeout(() => this.#end(late), timeoutMs);
    signal.addEventListener("abort", this.#stop, { once: true });
    if (signal.aborted) this.#stop();
  }

  get received(): Promise<Received> {
    return this.#outcome.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The connection came too late: nothing is written to it.
    if (this.#isOver) this.#letGo();
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    if (status < 200) {
      this.#interimAnswers += 1;
      if (status === SWITCHING || this.#interimAnswers > INTERIM_ANSWERS_MAX)
        this.#end(new OutboundFailure("bad_answer", "The answer never came to its status."));
      return;
    }
    this.#answer = { status, headers };
    clearTimeout(this.#timer);
    const ms = Math.min(BODY_MS, this.#deadline - performance.now());
    this.#timer = setTimeout(() => this.#end(), ms);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#bodyLength < HEAD_LENGTH_MAX) this.#beginning.push(chunk);
    this.#bodyLength += chunk.length;
    if (this.#bodyLength > BODY_BYTES_MAX) this.#end();
  }

  onResponseEnd(): void {
    this.#controller = undefined; // the connection is whole and may serve again
    this.#end();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(error);
  }

  readonly #stop = () => this.#end(new OutboundFailure("stopped", "The sender is stopping."));

  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#stop);
    if (this.#answer === undefined) this.#outcome.reject(asFailure(error));
    else this.#outcome.resolve(this.#received(this.#answer));
    this.#beginning = [];
    this.#letGo();
  }

  #received({ status, headers }: AnswerBegun): Received {
    const head = answerHead(Buffer.concat(this.#beginning), first(headers["content-encoding"]));
    const retryAfter = first(headers["retry-after"])?.slice(0, RETRY_AFTER_LENGTH_MAX);
    return { status, head, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  #letGo(): void {
    this.#controller?.abort(new Error("nobody waits any more"));
    this.#controller = undefined;
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function asFailure(error: Error | undefined): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new OutboundFailure("headers_too_large", "The headers of the answer are too large.");
  // By its name: its class would load the client at every start. And the client says "bad
  // response" of a 100 that was not requested, "bad upgrade" of a 101.
  const isUnreadable = error?.name === "HTTPParserError" || code.startsWith("UND_ERR_RES");
  if (isUnreadable || error?.message.startsWith("bad "))
    return new OutboundFailure("bad_answer", "The answer is not HTTP as it should be.", error);
  const sentence = "The connection was lost before there was an answer";
  const known = code.startsWith("UND_") ? undefined : error;
  return new OutboundFailure("connection_lost", withCode(sentence, known), error);
}
