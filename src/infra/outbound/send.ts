/**
 * Sends one request to a place that a merchant named, and tells what came of it (Decision 0035).
 *
 * It never throws and it always ends. Whatever the receiver does, there is an outcome within the
 * time given, and the receiver has cost us no more than its limits. Redirects are not followed,
 * proxies of the environment are not asked, answers are not unpacked.
 *
 * Connections are kept for the next request to the same origin, but shortly: each was checked when
 * it was opened, is idle for 4 s at most and serves for 30 s at most, so that a name which has
 * moved is noticed. The first retry comes after 5 s.
 */

import type { Agent, buildConnector } from "undici";
import { FieldRefused } from "../../kit/errors.ts";
import { lazy } from "../../kit/lazy.ts";
import { inSpan, markFailed, SpanKind } from "../../kit/trace.ts";
import type { Config } from "../config.ts";
import { type Connect, connectPlainly, createGuardedConnector } from "./guarded-connect.ts";
import { type FailureWord, OutboundFailure } from "./outbound-failure.ts";
import { createDnsResolver, type Resolver, systemResolver } from "./resolve-target.ts";
import { sendRequest } from "./send-request.ts";
import { readTargetUrl, targetRulesOf } from "./target-url.ts";

const TIMEOUT_MS = 15_000;
const HEADER_BYTES_MAX = 16 * 1024;
const IDLE_MS_MAX = 4_000;
const CONNECTION_MS_MAX = 30_000;

const POST = { kind: SpanKind.CLIENT, attributes: { "http.request.method": "POST" } } as const;

interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte by POST. */
  readonly body: string | Buffer;
  /** For all of it, from resolving the name to the last byte read; 15 s unless told. */
  readonly timeoutMs?: number;
}

/** The receiver has spoken: its status counts, whatever became of its body. */
interface Answer {
  readonly status: number;
  /** The beginning of the body, at most 1,024 characters, safe to keep; may be empty. */
  readonly head: string;
  /** `Retry-After` as it was sent, at most 100 characters; not judged here. */
  readonly retryAfter?: string;
  readonly durationMs: number;
}

/** There is no answer, and this is why: a word for programs, a sentence for people. */
interface NoAnswer {
  readonly failure: FailureWord;
  readonly text: string;
  readonly durationMs: number;
}

export type Outcome = Answer | NoAnswer;

export interface Sender {
  /** Never throws. */
  readonly send: (request: OutgoingRequest) => Promise<Outcome>;
  /** Ends what is under way as `stopped` and closes every connection. */
  readonly stop: () => Promise<void>;
}

interface SenderOptions {
  readonly config: Pick<Config, "http" | "webhooks">;
  readonly resolver?: Resolver;
  readonly connect?: Connect;
}

export function createSender({ config, resolver, connect }: SenderOptions): Sender {
  const rules = targetRulesOf(config);
  const stopping = new AbortController();
  const connector = createGuardedConnector({
    privateTargets: rules.privateTargets,
    resolver: resolver ?? (rules.privateTargets === "allow" ? systemResolver : createDnsResolver()),
    connect: connect ?? connectPlainly,
    signal: stopping.signal,
  });
  let hasSent = false;
  const agent = lazy(() => openAgent(connector));

  async function send(request: OutgoingRequest): Promise<Outcome> {
    const { url, headers, body, timeoutMs = TIMEOUT_MS } = request;
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    hasSent = true;
    try {
      const received = await sendRequest(await agent(), {
        url: readTargetUrl(url, rules),
        headers: { "accept-encoding": "identity", ...headers },
        body,
        timeoutMs,
        signal: stopping.signal,
      });
      return { ...received, durationMs: durationMs() };
    } catch (error) {
      const { word, message } = asFailure(error);
      return { failure: word, text: message, durationMs: durationMs() };
    }
  }

  return {
    // Without an address, which may hold an id or a secret of the merchant's (Decision 0131).
    send: (request) =>
      inSpan("POST", POST, async (span) => {
        const outcome = await send(request);
        if ("failure" in outcome) markFailed(span, outcome.failure);
        else span?.setAttribute("http.response.status_code", outcome.status);
        return outcome;
      }),
    async stop() {
      stopping.abort();
      if (hasSent) await (await agent()).destroy();
    },
  };
}

/** Loaded by the first who sends: of all libraries here it takes longest, and many never send. */
async function openAgent(connect: buildConnector.connector): Promise<Agent> {
  const { Agent } = await import("undici");
  return new Agent({
    connect,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    clientTtl: CONNECTION_MS_MAX,
    // Time is ours to watch: theirs starts anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function asFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof FieldRefused) return new OutboundFailure("bad_url", error.message);
  return new OutboundFailure("connection_lost", "The request could not be sent.", error);
}
