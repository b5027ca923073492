/** What a fault of the three-node drill has before it, and what is the same for all of them. */

import { until } from "../../../testkit/until.ts";
import type { Diary } from "../diary.ts";
import type { Service } from "./apps.ts";
import type { DatabaseCluster } from "./database.ts";

const POLL_MS = 100;
/** Measured beyond the goal, so that a miss has a figure. */
const WRITING_SECONDS_MAX = 120;

export interface Stage {
  readonly cluster: DatabaseCluster;
  readonly service: Service;
  readonly diary: Diary;
  readonly folder: string;
  readonly random: (below: number) => number;
  say(line: string): void;
}

export interface Played {
  /** When it happened, and until when seconds without writes count. */
  readonly from: number;
  readonly until: number;
  readonly complaints: readonly string[];
  /** What the table has no column for. */
  readonly notes?: readonly string[];
}

export interface Fault {
  readonly name: string;
  readonly about: string;
  /** How long writes may be refused; undefined: for as long as the fault lasts. */
  readonly silenceMsMax?: number;
  /** Over one address for both web processes, as merchants do. */
  readonly isBehindProxy?: true;
  /** Callers stop before it and begin again after it. */
  readonly isAfterWork?: true;
  play(stage: Stage): Promise<Played>;
}

/** Something that was asked for after this moment has been acknowledged. */
export async function untilWriting({ diary }: Pick<Stage, "diary">, since: number): Promise<void> {
  const isWriting = () => diary.begunSince(since).length > 0;
  await until(isWriting, "writing has begun again", WRITING_SECONDS_MAX, { pauseMs: POLL_MS });
}

/** One of them, by the seed. */
export function pick<T>(from: readonly T[], random: (below: number) => number): T {
  const chosen = from[Math.floor(random(from.length))];
  if (chosen === undefined) throw new Error("there is nothing to pick from");
  return chosen;
}
