/**
 * Where a consumer keeps how far it has come. Implement it with your own database; what `save` was
 * told last is what `load` tells after a restart.
 */
export interface CursorStore {
  /** Undefined when nothing was ever saved. */
  load(): Promise<number | undefined>;
  save(sequence: number): Promise<void>;
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
