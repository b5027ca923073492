/**
 * How often a test that draws at random does so: a few times in `npm test`, many in `npm run
 * proof` (which sets `PROOF` and runs each file that imports this), `FUZZ_RUNS` in a run by hand.
 */
export function fuzzRuns({ usual, proof }: { usual: number; proof: number }): number {
  const { FUZZ_RUNS, PROOF } = process.env;
  const runs = Number(FUZZ_RUNS ?? (PROOF === undefined ? usual : proof));
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error("FUZZ_RUNS must be a whole number");
  return runs;
}
