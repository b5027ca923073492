const SUGGESTED_MAX = 3;

/** The names that need the fewest changed letters to become what was typed. */
export function nearest(typed: string, names: readonly string[]): string[] {
  const measured = names.map((name) => ({ name, distance: distance(typed, name) }));
  return measured
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTED_MAX)
    .map(({ name }) => name);
}

/** Levenshtein's: letters inserted, deleted or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
