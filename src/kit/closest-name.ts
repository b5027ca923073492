/** Finds the known name that a misspelled one was meant to be. */

const CHANGES_MAX = 2;
/** Names this short differ from each other by two letters without being misspelled. */
const SHORT = 4;

/** The nearest of them within two changed, missing, added or swapped letters. */
export function closestName(input: string, names: readonly string[]): string | undefined {
  const typed = input.toLowerCase();
  let closest: string | undefined;
  let fewest = CHANGES_MAX + 1;
  for (const name of names) {
    const allowed = Math.min(typed.length, name.length) <= SHORT ? 1 : CHANGES_MAX;
    if (Math.abs(typed.length - name.length) > allowed) continue;
    const changes = changesBetween(typed, name.toLowerCase());
    if (changes > allowed || changes >= fewest) continue;
    closest = name;
    fewest = changes;
  }
  return closest;
}

/** Optimal string alignment: a swap of neighbours counts as one change. */
export function changesBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped)
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      next.push(least);
    }
    beforeLast = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
