/**
 * Where a consumer keeps how far it has come. Implement it with your own database; what `save` was
 * told last is what `load` tells after a restart.
 */
export interface CursorStore {
  /** Undefined or null when nothing was ever saved. */
  load(): Promise<number | null | undefined>;
  save(sequence: number): Promise<void>;
}

/** Looked at, because many drivers give a bigint as text, and with that no sum is right. */
export function readCursor(kept: unknown): number | undefined {
  if (kept === undefined || kept === null) return undefined;
  if (typeof kept === "number" && Number.isSafeInteger(kept) && kept >= 0) return kept;
  const words = `The store's load gave ${typeof kept === "number" ? kept : `a ${typeof kept}`}`;
  throw new TypeError(`${words}: give the whole number that was saved, or undefined.`);
}

/** For tests and for trying things out: it forgets everything when the process ends. */
export function createMemoryStore(sequence?: number): CursorStore {
  let kept = sequence;
  return {
    load: async () => kept,
    save: async (next) => {
      kept = next;
    },
  };
}
