/**
 * How many random requests a fuzz test sends: few with every change, `FUZZ_RUNS` for a long run.
 */
export function fuzzRuns(usual: number): number {
  const given = Number(process.env.FUZZ_RUNS ?? usual);
  if (!Number.isSafeInteger(given) || given < 1)
    throw new Error("FUZZ_RUNS must be a whole number");
  return given;
}
