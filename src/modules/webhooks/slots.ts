/**
 * A number of places, taken in the order they were asked for (Decision 0034). Written by hand: it
 * is a counter and a line, and whoever stands in it must be able to leave when the process stops.
 */

export interface Slots {
  /** Resolves with the way to give the place back; undefined: the signal came first. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const line = new Set<() => void>();

  function giveBack(): void {
    free += 1;
    const [next] = line;
    next?.();
  }

  function lend(): () => void {
    free -= 1;
    let isMine = true;
    return () => {
      if (isMine) giveBack();
      isMine = false;
    };
  }

  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) return Promise.resolve(lend());
      return new Promise((resolve) => {
        const leave = () => {
          line.delete(enter);
          resolve(undefined);
        };
        const enter = () => {
          line.delete(enter);
          signal.removeEventListener("abort", leave);
          resolve(lend());
        };
        line.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
