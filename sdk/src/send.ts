/**
 * Sends one request until it is answered or not worth another try (`retry-policy.ts`, Decision
 * 0053).
 *
 * A JSON answer is read to its end here, so that one which breaks off in the middle counts as lost
 * and is asked for again. Anything else, such as a long CSV, is handed on as it comes.
 */

import { pauseBeforeRetry, type Repeatable } from "./retry-policy.ts";
import { type Wait, wait } from "./wait.ts";
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
}

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
  { request, body }: Draft,
  { credential, limitMs }: { credential: Readonly<Record<string, string>>; limitMs: number },
): Promise<Response | WindwardError> {
  const { signal } = request;
  signal.throwIfAborted();
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(credential)) headers.set(name, value);
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new Error("it took too long")), limitMs);
  signal.addEventListener("abort", stop, { once: true });
  let isStreaming = false;
  try {
    const sent = { headers, signal: controller.signal, ...(body && { body }) };
    const response = await fetch(new Request(request, sent));
    isStreaming = !isJson(response);
    return isStreaming ? response : await wholeOf(response);
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

async function wholeOf(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}

/** Words only: an error of somebody's own `fetch` might hold the request and its credential. */
function reasonOf(error: unknown): string {
  const { message = "", cause } = (error ?? {}) as { message?: unknown; cause?: unknown };
  const { message: deeper = "", code = "" } = (cause ?? {}) as Record<string, unknown>;
  return String(deeper || code || message || "it could not be reached").replace(/\.$/, "");
}
