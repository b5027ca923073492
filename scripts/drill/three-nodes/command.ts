/** A program run to its end: what it printed, or an error with what it said. */

import { execFile } from "node:child_process";

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const MS_MAX = 60_000;

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export function run(program: string, args: readonly string[], options: Options = {}) {
  return new Promise<string>((resolve, reject) => {
    const settings = { maxBuffer: OUTPUT_BYTES_MAX, timeout: MS_MAX, ...options };
    execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout.trim());
      reject(new Error(`${program} ${args.join(" ")} failed: ${stderr.trim() || error.message}`));
    });
  });
}
