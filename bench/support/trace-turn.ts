/** What a service says of its turns (`traces-in-turns.ts`), and how it is found in its output. */

export const TURN = "turn of traces: ";

export interface Turn {
  readonly isTraced: boolean;
  readonly requests: number;
  readonly cpuMs: number;
}
