/**
 * The same numbers for the same seed, on every machine (mulberry32): 32 bits of state are enough
 * for choices, and Node's own cannot be seeded.
 */
export function randomNumbers(seed: number): (below?: number) => number {
  let state = seed;
  return (below = 1) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return (((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}
