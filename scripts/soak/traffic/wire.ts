/**
 * How a client reaches the service: any of the four processes, by way of a wire that may break.
 *
 * An answer that did not come whole is no answer. What is not answered is
 * sent again, with the same key, as a careful client does; and every answer that came is held
 * against the contract.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { PUBLIC_URL } from "../settings.ts";
import type { AnswerWatch } from "./answer-watch.ts";

export interface WireRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly raw?: { readonly type: string; readonly body: Uint8Array };
  readonly token?: string;
  readonly key?: string;
  readonly idempotencyKey?: string;
  /** As a browser on the payment page sends it. */
  readonly isFromPage?: boolean;
  /** As a browser sends what the bank in the page's frame posts. */
  readonly isFromBank?: boolean;
  readonly cookie?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  readonly body: any;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** What became of a request that was sent until it was answered, or given up. */
export interface Outcome {
  readonly answer: Answered | undefined;
  /** How often it was sent and nobody knows what became of it. */
  readonly unsure: number;
}

export interface Wire {
  /** Sent once, to a process of chance or to the one named; undefined when no answer came. */
  send(asked: WireRequest, slot?: number): Promise<Answered | undefined>;
  /** Sent until it is answered by something else than "not now". */
  insist(asked: WireRequest): Promise<Outcome>;
  readonly slots: number;
  close(): Promise<void>;
}

const ANSWER_MS_MAX = 8_000;
const TRIES_MAX = 60;
const PAUSE_MS = { first: 25, max: 800 };
const IN_FLIGHT = "idempotency_in_flight";

export function openWire(
  ports: readonly number[],
  watch: AnswerWatch,
  /** Of the pages: what a browser says of the forms it sends. */
  origin = new URL(PUBLIC_URL).origin,
): Wire {
  const pools = ports.map(
    (port) =>
      new Pool(`http://127.0.0.1:${port}`, {
        connections: 32,
        headersTimeout: ANSWER_MS_MAX,
        bodyTimeout: ANSWER_MS_MAX,
        pipelining: 1,
      }),
  );
  let turn = 0;

  async function send(asked: WireRequest, slot?: number): Promise<Answered | undefined> {
    const pool = pools[slot ?? turn++ % pools.length];
    if (pool === undefined) return undefined;
    const { body, ...headers } = bodyOf(asked);
    const beganAt = performance.now();
    const whole = await pool
      .request({
        method: asked.method,
        path: asked.path,
        headers: { ...headers, ...credentialOf(asked, origin) },
        ...(body === undefined ? {} : { body }),
      })
      .then(async (response) => ({ ...response, text: await response.body.text() }))
      .catch(() => undefined);
    if (whole === undefined) {
      watch.unanswered();
      return undefined;
    }
    // Outside of what a fault may break: an answer that came and cannot be read is a wrong one.
    const answer = answerOf(whole.statusCode, whole.headers, whole.text, beganAt);
    watch.look(asked, answer);
    return answer;
  }

  return {
    slots: pools.length,
    send,
    async insist(asked) {
      let unsure = 0;
      for (let tried = 1; tried <= TRIES_MAX; tried++) {
        const answer = await send(asked);
        if (answer !== undefined && !isNotNow(answer)) return { answer, unsure };
        // "Not now" after the effect is possible, too: what was asked may be there.
        unsure += 1;
        await sleep(Math.min(PAUSE_MS.max, PAUSE_MS.first * 2 ** tried));
      }
      return { answer: undefined, unsure };
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function answerOf(
  status: number,
  headers: Answered["headers"],
  text: string,
  beganAt: number,
): Answered {
  const isJson = String(headers["content-type"]).startsWith("application/json");
  const body = isJson && text !== "" ? readJson(text) : undefined;
  return { status, headers, text, body, beganAt, endedAt: performance.now() };
}

/** Undefined is no documented body, so the check of the answer complains. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNotNow({ status, headers }: Answered): boolean {
  return status === 503 || (status === 409 && headers["x-svc-error"] === IN_FLIGHT);
}

function bodyOf(asked: WireRequest): { body?: string | Uint8Array; "content-type"?: string } {
  if (asked.raw !== undefined) return { body: asked.raw.body, "content-type": asked.raw.type };
  if (asked.json !== undefined)
    return { body: JSON.stringify(asked.json), "content-type": "application/json" };
  if (asked.form === undefined) return {};
  const body = new URLSearchParams(asked.form).toString();
  return { body, "content-type": "application/x-www-form-urlencoded" };
}

function credentialOf(asked: WireRequest, origin: string): Record<string, string> {
  const { token, key, idempotencyKey, isFromPage, isFromBank, cookie = "" } = asked;
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { "x-svc-key": key }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(cookie === "" ? {} : { cookie }),
    ...(isFromBank ? { origin: "null" } : {}),
    ...(isFromPage ? { origin, "sec-fetch-site": "same-origin" } : {}),
  };
}
