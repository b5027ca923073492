/**
 * Work that comes in lumps, done piece by piece, one with each turn of the event loop, so that
 * everybody else gets their turn in between: when five hundred clients are late in the same second,
 * one who is not must not wait for five hundred farewells.
 */

/** Runs it in a later turn, behind what was given before; it must not throw. */
export type InTurn = (work: () => void) => void;

export function createTurns(): InTurn {
  let waiting: (() => void)[] = [];
  let done = 0;
  const goOn = () => {
    waiting[done++]?.();
    if (done < waiting.length) return void setImmediate(goOn);
    waiting = [];
    done = 0;
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(goOn);
  };
}
