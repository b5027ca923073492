/**
 * Sends one request until it is answered or not worth another try (`retry-policy.ts`, Decision
 * 0053).
 *
 * An answer is read to its end here, within the time that a try may take, so that one which breaks
 * off in the middle counts as lost and is asked for again. Only a success that is no JSON, such as
 * a long CSV, is handed on as it comes.
 */

import { pauseBeforeRetry, type Repeatable } from "./retry-policy.ts";
import { unlessAborted, type Wait, wait } from "./wait.ts";
import { WindwardError } from "./windward-error.ts";

export type Fetch = (request: Request) => Promise<Response>;

export interface SendSettings {
  readonly fetch: Fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly pause?: Wait;
}

export interface Draft extends Repeatable {
  readonly request: Request;
  /** Read once, because a request's own body can be sent only once. */
  readonly body: ArrayBuffer | undefined;
  /** One try takes no longer than this, and all of them together no longer than that. */
  readonly tryMs?: number;
  readonly withinMs?: number;
  /** Its answer is short, and is read to its end whatever it says it is. */
  readonly isShort?: boolean;
}

/** Success is JSON whatever is asked for; errors come with code, field and hint. */
const ACCEPT = "application/json;q=0.9, application/problem+json";
/** Far more than the longest page of a list; who sends more means no good. */
const WHOLE_BYTES_MAX = 32 * 1024 * 1024;
const TOO_LATE = new Error("it took too long");
const TOO_LONG = new Error("its answer is too long");

export type Send = (
  draft: Draft,
  credential?: Readonly<Record<string, string>>,
) => Promise<Response>;

export async function draftOf(request: Request, repeatable: Repeatable): Promise<Draft> {
  const bytes = await request.arrayBuffer();
  return { request, body: request.bodyUsed ? bytes : undefined, ...repeatable };
}

export function createSend({ fetch, retries, timeoutMs, pause = wait }: SendSettings): Send {
  return async (draft, credential = {}) => {
    const { request, tryMs = timeoutMs, withinMs = Number.POSITIVE_INFINITY } = draft;
    const began = performance.now();
    const leftMs = () => withinMs - (performance.now() - began);
    for (let attempt = 1; ; attempt += 1) {
      const limitMs = Math.min(tryMs, leftMs());
      const outcome = await tryOnce(fetch, draft, { credential, limitMs });
      const response = outcome instanceof WindwardError ? undefined : outcome;
      const pauseMs = pauseBeforeRetry(response, attempt, draft);
      if (attempt > retries || pauseMs === undefined || pauseMs >= leftMs()) {
        if (outcome instanceof WindwardError) throw outcome;
        return outcome;
      }
      await pause(pauseMs, request.signal);
    }
  };
}

/** The answer, or an error that says why there is none. The caller's own abort is thrown. */
async function tryOnce(
  fetch: Fetch,
  { request, body, isShort = false }: Draft,
  { credential, limitMs }: { credential: Readonly<Record<string, string>>; limitMs: number },
): Promise<Response | WindwardError> {
  const { signal } = request;
  signal.throwIfAborted();
  const headers = new Headers(request.headers);
  if (!headers.has("accept")) headers.set("accept", ACCEPT);
  for (const [name, value] of Object.entries(credential)) headers.set(name, value);
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(TOO_LATE), limitMs);
  signal.addEventListener("abort", stop, { once: true });
  let isStreaming = false;
  try {
    const sent = { headers, signal: controller.signal, ...(body && { body }) };
    // Raced as well, because somebody's own `fetch` may not look at the signal.
    const asked = fetch(new Request(request, sent));
    const response = await unlessAborted(asked, controller.signal);
    isStreaming = response.ok && !isShort && !isJson(response);
    return isStreaming
      ? response
      : await unlessAborted(wholeOf(response, controller.signal), controller.signal);
  } catch (error) {
    signal.throwIfAborted();
    const { origin } = new URL(request.url);
    return new WindwardError({ message: `No answer from ${origin}: ${reasonOf(error)}.` });
  } finally {
    clearTimeout(timer);
    // What still streams is to end when the caller gives up.
    if (!isStreaming) signal.removeEventListener("abort", stop);
  }
}

function isJson({ headers }: Response): boolean {
  return /^application\/([\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");
}

async function wholeOf(response: Response, signal: AbortSignal): Promise<Response> {
  const { status, statusText, headers, body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  // The connection would keep the process alive for as long as the other side likes.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let left = WHOLE_BYTES_MAX; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    left -= value.byteLength;
    if (left < 0) {
      reader.cancel().catch(() => {});
      throw TOO_LONG;
    }
    parts.push(value);
  }
  const whole = parts.length === 0 ? null : new Blob(parts);
  return new Response(whole, { status, statusText, headers });
}

/** Our own words, or a code: a message of somebody's own `fetch` may quote the credential. */
function reasonOf(error: unknown): string {
  if (error === TOO_LATE || error === TOO_LONG) return (error as Error).message;
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  const { code: deeper } = (cause ?? {}) as { code?: unknown };
  const known = [deeper, code].find((each) => /^[A-Z][A-Z0-9_]{2,40}$/.test(String(each ?? "")));
  return String(known ?? "it could not be reached");
}
