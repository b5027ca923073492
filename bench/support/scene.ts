/** A scene measures one thing beside its yardstick, and says what was promised of it. */

import type { Quietly } from "./quietly.ts";
import type { Goal } from "./report.ts";
import type { Stage } from "./stage.ts";

export interface Pace {
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  /** Long enough for the compiler to have seen what is hot. */
  readonly warmUpSeconds: number;
  /** Payments in the largest database of the scene `size`. */
  readonly largest: number;
  /** Once more when the host was elsewhere meanwhile. */
  readonly quietly: Quietly;
}

export interface Outcome {
  /** All that was measured, for the file of results. */
  readonly figures: unknown;
  /** None where the yardstick is missing: a figure alone says more about the machine. */
  readonly goals: readonly Goal[];
  /** What would have to be there for all of it to be measured. */
  readonly missing?: string | undefined;
}

export interface Scene {
  readonly name: string;
  play(stage: Stage, pace: Pace): Promise<Outcome>;
}
