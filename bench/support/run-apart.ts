/**
 * Runs a load in a process of its own, so that it has an event loop of its own: a file that offers
 * one asks for itself by its address, and answers in JSON.
 */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export async function runApart<Result>(file: string, load: object): Promise<Result> {
  const args = [fileURLToPath(file), JSON.stringify(load)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return JSON.parse(stdout);
}

/** For the end of such a file: whether it is the one that was asked for. */
export async function answerApart<Load>(
  isMain: boolean,
  run: (load: Load) => Promise<object>,
): Promise<void> {
  const given = process.argv[2];
  if (isMain && given !== undefined)
    process.stdout.write(JSON.stringify(await run(JSON.parse(given))));
}
