/**
 * Work that comes in lumps, done piece by piece, one with each turn of the event loop, so that
 * everything else gets its turn in between: when five hundred clients are late in the same second,
 * one who is not must not wait for five hundred farewells.
 */

/** Runs it in a later turn, behind what was given before. */
export type InTurn = (work: () => void) => void;

export function createTurns(): InTurn {
  const waiting: (() => void)[] = [];
  const goOn = () => {
    try {
      // It stays first while it runs, so that what it adds does not begin a second round.
      waiting[0]?.();
    } finally {
      waiting.shift();
      if (waiting.length > 0) setImmediate(goOn);
    }
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(goOn);
  };
}
