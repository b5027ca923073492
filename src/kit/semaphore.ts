/**
 * A semaphore: so many at once; the others wait in order, as many and as long as its rules allow.
 * For expensive work (a password hash costs 64 MiB and 100 ms), where an unbounded queue would be
 * the cheapest attack on the service.
 *
 * Work may name its load: the lightest of those that wait goes next, and when too many wait, the
 * heaviest is refused, which need not be the last to come. So heavy work, however much there is,
 * delays light work by no more than what is running (Decisions 0034 and 0069).
 */

export class SemaphoreFull extends Error {}

interface Request {
  /** Of equal loads the first to come goes first. */
  readonly load?: number;
  /** Ends the wait; `take` then rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface Semaphore {
  /** Rejects with `SemaphoreFull` when too many wait, or when the wait takes too long. */
  pass<T>(work: () => Promise<T>, request?: Request): Promise<T>;
  /** Resolves with the function that releases the slot. */
  take(request?: Request): Promise<() => void>;
  /** Whether one more would be refused at once. */
  isFull(): boolean;
}

interface Waiting {
  readonly load: number;
  enter(): void;
  refuse(reason: unknown): void;
}

interface Rules {
  readonly atOnce: number;
  readonly waitingMax?: number;
  readonly waitMsMax?: number;
}

export function createSemaphore(rules: Rules): Semaphore {
  const { atOnce, waitingMax = Number.POSITIVE_INFINITY } = rules;
  const waiting: Waiting[] = [];
  let inside = 0;

  async function take(request: Request = {}): Promise<() => void> {
    request.signal?.throwIfAborted();
    if (inside < atOnce) inside += 1;
    else await waitIn(waiting, rules, request);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      // The slot goes straight to the next in line, so that no newcomer gets it in between.
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next.enter();
    };
  }

  return {
    take,
    async pass(work, request) {
      const release = await take(request);
      try {
        return await work();
      } finally {
        release();
      }
    },
    isFull: () => inside >= atOnce && waiting.length >= waitingMax,
  };
}

function waitIn(waiting: Waiting[], rules: Rules, { load = 0, signal }: Request): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (settle: () => void) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    settle();
  };
  const one: Waiting = {
    load,
    enter: () => end(resolve),
    refuse: (reason) => end(() => reject(reason)),
  };
  const giveUp = (reason: unknown) => {
    waiting.splice(waiting.indexOf(one), 1);
    one.refuse(reason);
  };
  const leave = () => giveUp(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  const { waitMsMax, waitingMax = Number.POSITIVE_INFINITY } = rules;
  const tooLate = () => giveUp(new SemaphoreFull("waited too long"));
  const timer = waitMsMax === undefined ? undefined : setTimeout(tooLate, waitMsMax);
  const lighter = waiting.findLastIndex((other) => other.load <= load);
  waiting.splice(lighter + 1, 0, one);
  if (waiting.length > waitingMax) waiting.pop()?.refuse(new SemaphoreFull("queue is full"));
  return promise;
}
