/**
 * The text under the `signature` of results and of payment requests: pairs sorted by name, written
 * as application/x-www-form-urlencoded.
 */

export type Pair = readonly [name: string, value: string];

/** By UTF-16 code units, as the service sorts; for names in ASCII that is the order of bytes. */
export function sortedByName(pairs: readonly Pair[]): Pair[] {
  return [...pairs].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
}

/** Letters, digits and `*-._` stay, a space is `+`, every other byte of the UTF-8 is `%XX`. */
export function formText(pairs: readonly Pair[]): string {
  return new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, value]),
  ).toString();
}
