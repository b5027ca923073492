/**
 * A host gives our processors to others for half a minute now and then, and what was measured
 * meanwhile says more about them than about us. Such a round is played again while the run has time
 * for it. Of those that were played, the one that lost the least counts, whatever it measured: a
 * round is chosen by what the host did, never by what came out.
 */

import { say } from "../../scripts/tool/say.ts";
import { watchHost } from "./machine.ts";
import { round } from "./report.ts";

/** Of the processors' time, which Linux counts in hundredths of a second. */
const STOLEN_PART_MAX = 0.01;
/** More than these for all scenes, or for one of them, are not played again. */
const RUN_MS = 85_000;
const SCENE_MS = 45_000;

export type Quietly = <T>(play: () => Promise<T>) => Promise<T>;

/** For a run; gives what each scene gets of it. */
export function createPatience({ isQuick }: { isQuick: boolean }): () => Quietly {
  let runMs = isQuick ? 0 : RUN_MS;
  return () => {
    let sceneMs = SCENE_MS;
    return async (play) => {
      let best = await attempt(play);
      while (best.stolen > STOLEN_PART_MAX && best.ms <= Math.min(runMs, sceneMs)) {
        say(`once more: the host gave ${round(100 * best.stolen)} % of that to others`);
        const next = await attempt(play);
        runMs -= next.ms;
        sceneMs -= next.ms;
        if (next.stolen < best.stolen) best = next;
      }
      return best.take();
    };
  };
}

/** A round after the other, each of them quietly. */
export async function takeTurns<T>(
  { rounds, quietly }: { rounds: number; quietly: Quietly },
  takeTurn: (turn: number) => Promise<T>,
): Promise<T[]> {
  const turns: T[] = [];
  for (let turn = 1; turn <= rounds; turn++) turns.push(await quietly(() => takeTurn(turn)));
  return turns;
}

/** What broke while the host was elsewhere may hold when it is not. */
async function attempt<T>(play: () => Promise<T>) {
  const stolenPart = watchHost();
  const beganAt = performance.now();
  const take = await play().then(
    (result) => () => result,
    (error: unknown) => (): T => {
      throw error;
    },
  );
  return { take, stolen: stolenPart(), ms: performance.now() - beganAt };
}
