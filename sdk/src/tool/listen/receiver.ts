/** The receiver that events are forwarded to, and what it answered. */

import { firstLine } from "../read-text.ts";
import type { FeedItem } from "./feed.ts";
import { deliveryHeaders } from "./sign-delivery.ts";

/** As long as the service itself waits for a receiver. */
const TIMEOUT_MS = 15_000;

export interface Reply {
  /** 2xx: it has the event, and does not get it again. */
  readonly isAcknowledged: boolean;
  /** No connection, or it broke: nothing else would get through either. */
  readonly isAway: boolean;
  /** Of HTTP; undefined without an answer. */
  readonly status: number | undefined;
  readonly ms: number;
  /** The first line of an answer that is no success, or why there was none. */
  readonly words: string;
}

export async function deliver(
  item: FeedItem,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<Reply> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: deliveryHeaders(item, { secret, at: new Date() }),
      body: item.body,
      // As the service does: a redirect is no acknowledgement.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const { status, ok } = response;
    // As the service judges: once there is a status, trouble with the body changes nothing.
    const words = ok ? "" : await firstLine(response);
    if (ok) await response.body?.cancel().catch(() => {});
    return { isAcknowledged: ok, isAway: false, status, ms: ms(), words };
  } catch (error) {
    const isLate = (error as Error).name === "TimeoutError";
    const words = isLate ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    return { isAcknowledged: false, isAway: !isLate, status: undefined, ms: ms(), words };
  }
}

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown };
  if (cause !== undefined) return reasonOf(cause);
  return code ?? message ?? "no connection";
}
