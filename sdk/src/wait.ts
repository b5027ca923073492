/** Waiting that can be called off. */

export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>;

export const wait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** The same promise for one caller of several: who gives up takes nothing from the others. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Longer each time, up to a limit, and never twice the same for two who began together. */
export function growingMs(attempt: number, { firstMs, mostMs }: Growth): number {
  const whole = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return whole * (0.5 + Math.random() / 2);
}

export interface Growth {
  readonly firstMs: number;
  readonly mostMs: number;
}
