/** What was started, in order: stopping goes backwards, and one that fails holds up no other. */

export type Stop = () => Promise<void>;

export interface StopList {
  add(stop: Stop): void;
  stopAll(): Promise<void>;
}

export function createStopList(): StopList {
  const stops: Stop[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async stopAll() {
      const failures: unknown[] = [];
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
        await stop().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, "something did not stop");
    },
  };
}
