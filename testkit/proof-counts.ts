/**
 * How much of a large table or of chance a test tries: a part in `npm test`, all of it in
 * `npm run proof` and for mutants, which set `PROOF` (the proof runs each file that imports this).
 */

const isProof = process.env.PROOF !== undefined;

/** How often a property is tried; `FUZZ_RUNS` says otherwise in a run by hand. */
export function fuzzRuns({ usual, proof }: { usual: number; proof: number }): number {
  const runs = Number(process.env.FUZZ_RUNS ?? (isProof ? proof : usual));
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error("FUZZ_RUNS must be a whole number");
  return runs;
}

/** Some of a list, others with each turn, so that a few turns try all of it. */
export function someOf<T>(list: readonly T[], { usual, turn }: { usual: number; turn: number }) {
  if (isProof || list.length <= usual) return list;
  const from = (turn * usual) % list.length;
  return [...list.slice(from), ...list.slice(0, from)].slice(0, usual);
}
