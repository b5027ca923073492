/**
 * Calls to PowerTranz over one pool of connections. An answer is HTTP 200 with a JSON object of at
 * most a megabyte; everything else (another status, a page of the proxy in front, a redirect, a
 * broken body, silence) is no answer, and whether the call took effect is unknown.
 *
 * Redirects are not followed, so credentials go nowhere else. Nothing of a request or an answer is
 * put into an error.
 */

import type { Dispatcher } from "undici";
import { SECOND_MS } from "../../../kit/clock.ts";
import { lazy } from "../../../kit/lazy.ts";
import { createSemaphore } from "../../../kit/semaphore.ts";
import { inSpan, type Span, SpanKind } from "../../../kit/trace.ts";
import { isTooLateToSend } from "../call-lease.ts";
import { readAnswer } from "./answer.ts";
import { type CircuitEvents, createCircuit } from "./circuit.ts";
import { blamesSettings } from "./codes.ts";
import { GatewayProblem } from "./problem.ts";
import type { Credentials, PowertranzSettings } from "./settings.ts";

/** The processor behind the gateway may take a minute, and its answer is worth waiting for. */
export const FINANCIAL_SECONDS_MAX = 65;
const QUICK_SECONDS_MAX = 20;
const CONNECT_MS_MAX = 10 * SECOND_MS;
/** Lookups have slots of their own, so that slow orders do not keep us from asking about them. */
const ORDERS_AT_ONCE_MAX = 24;
const LOOKUPS_AT_ONCE_MAX = 8;
const WAIT_MS_MAX = 4 * SECOND_MS;
const BYTES_MAX = 1_000_000;
const NOT_FOUND = 404;
const UNAUTHORIZED = 401;
const BYTE_ORDER_MARK = /^\uFEFF/;

export interface Call {
  readonly method: "GET" | "POST";
  /** Under the root, as `spi/sale`. */
  readonly path: string;
  readonly body?: unknown;
  readonly credentials?: Credentials;
  /** It moves money, so its answer is waited for longer. */
  readonly isFinancial?: boolean;
  /** When it was written down, by `performance.now()`: others give it up after a while. */
  readonly writtenAt?: number;
}

export interface Client {
  readonly call: (call: Call) => Promise<unknown>;
  /** Throws while it is down: before a call is written down that would not be sent. */
  readonly demandUp: () => void;
  readonly state: () => "up" | "down";
  /** Nothing is sent: it does not answer. */
  readonly isSuspended: () => boolean;
  readonly stop: () => Promise<void>;
}

type Root = Pick<PowertranzSettings, "url" | "gatewayKey">;

export function createClient(
  settings: Root,
  events: CircuitEvents & { readonly probeEveryMs?: number },
): Client {
  const { send, stop } = createSender(settings);
  const circuit = createCircuit({ probe: () => send({ method: "GET", path: "alive" }), ...events });
  const orders = createSemaphore({ atOnce: ORDERS_AT_ONCE_MAX, waitMsMax: WAIT_MS_MAX });
  const lookups = createSemaphore({ atOnce: LOOKUPS_AT_ONCE_MAX, waitMsMax: WAIT_MS_MAX });

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    try {
      const json = await work();
      if (refusesUs(json)) circuit.refused();
      else circuit.answered();
      return json;
    } catch (error) {
      if (isUnauthorized(error)) circuit.refused();
      else if (isNotFound(error)) circuit.answered();
      else if (!isBlocked(error)) circuit.failed();
      throw error;
    }
  }

  function demandUp(): void {
    if (circuit.isOpen()) throw circuitOpen();
  }

  return {
    demandUp,
    async call(call) {
      const slots = call.method === "GET" ? lookups : orders;
      const release = await slots.take().catch(() => {
        throw new GatewayProblem("timeout", "too many calls at once: it was not sent");
      });
      try {
        demandUp();
        if (call.writtenAt !== undefined && isTooLateToSend(call.writtenAt))
          throw new GatewayProblem("timeout", "it was written down too long ago to be sent");
        return await counted(() => send(call));
      } finally {
        release();
      }
    },
    state: circuit.state,
    isSuspended: circuit.isOpen,
    async stop() {
      circuit.stop();
      await stop();
    },
  };
}

function createSender({ url, gatewayKey }: Root) {
  const root = new URL(url);
  // Loaded by the first call: many processes never make one.
  const pool = lazy(async () => {
    const { Pool } = await import("undici");
    return new Pool(root.origin, {
      // One more for the probe: nothing waits inside the pool, where its age is not checked.
      connections: ORDERS_AT_ONCE_MAX + LOOKUPS_AT_ONCE_MAX + 1,
      connect: { timeout: CONNECT_MS_MAX },
      // One limit for a whole call, below: theirs begin anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  });
  let isOpened = false;

  async function send(call: Call, span?: Span): Promise<unknown> {
    isOpened = true;
    const seconds = call.isFinancial ? FINANCIAL_SECONDS_MAX : QUICK_SECONDS_MAX;
    const signal = AbortSignal.timeout(seconds * SECOND_MS);
    try {
      const response = await (await pool()).request({
        method: call.method,
        path: root.pathname + call.path,
        headers: headersOf(call, gatewayKey),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal,
      });
      span?.setAttribute("http.response.status_code", response.statusCode);
      return await readJson(response);
    } catch (error) {
      if (error instanceof GatewayProblem) throw error;
      throw signal.aborted
        ? new GatewayProblem("timeout", "it did not answer in time")
        : unreachable(error);
    }
  }

  return {
    // Without an address: those of lookups hold an id (Decision 0131).
    send(call: Call): Promise<unknown> {
      const attributes = { "http.request.method": call.method };
      return inSpan(call.method, { kind: SpanKind.CLIENT, attributes }, (span) => send(call, span));
    },
    async stop() {
      if (isOpened) await (await pool()).destroy();
    },
  };
}

export function circuitOpen(): GatewayProblem {
  return new GatewayProblem("circuit_open", "the acquirer does not answer");
}

/** Of the error only its code, as `ECONNREFUSED`: its message may hold bytes of an answer. */
function unreachable(error: unknown): GatewayProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "no code";
  return new GatewayProblem("unreachable", `the connection failed: ${code}`, undefined, code);
}

function headersOf({ credentials }: Call, gatewayKey: string | undefined): Record<string, string> {
  return {
    accept: "application/json",
    "content-type": "application/json; charset=utf-8",
    ...(credentials === undefined
      ? {}
      : {
          "PowerTranz-PowerTranzId": credentials.id,
          "PowerTranz-PowerTranzPassword": credentials.password,
        }),
    ...(gatewayKey === undefined ? {} : { "PowerTranz-GatewayKey": gatewayKey }),
  };
}

async function readJson({ statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  if (statusCode !== 200) {
    body.on("error", () => {}).destroy();
    if (statusCode === UNAUTHORIZED)
      throw new GatewayProblem("settings", "it does not know our credentials", statusCode);
    throw notAnAnswer(`HTTP ${statusCode}`, statusCode);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BYTES_MAX) throw notAnAnswer("more than a megabyte");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8").replace(BYTE_ORDER_MARK, "");
  try {
    return JSON.parse(text);
  } catch {
    throw notAnAnswer("no JSON");
  }
}

function notAnAnswer(what: string, status?: number): GatewayProblem {
  return new GatewayProblem("not_an_answer", `it answered with ${what}`, status);
}

/** A page of the proxy in front that refuses this one request says nothing about the gateway. */
function isBlocked(error: unknown): boolean {
  const status = error instanceof GatewayProblem ? (error.status ?? 0) : 0;
  return status >= 400 && status < 500;
}

function refusesUs(json: unknown): boolean {
  const { code, errors } = readAnswer(json);
  return blamesSettings(code, errors);
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof GatewayProblem && error.status === UNAUTHORIZED;
}

/** A lookup that finds nothing may be a 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof GatewayProblem && error.status === NOT_FOUND;
}
