/**
 * What an operator does from a terminal: `npm run operator -- <command>` (Decision 0031). Answers
 * go to standard output, everything else to standard error.
 */

import process from "node:process";
import { FieldRefused } from "./kit/errors.ts";
import { operate } from "./operate.ts";

export async function main(): Promise<void> {
  process.exitCode = await operate(process.argv.slice(3), {
    settings: process.env,
    // npm goes to the project's folder before it runs anything, and says where it was called.
    folder: process.env.INIT_CWD ?? process.cwd(),
    readStdin,
    writeAnswer: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY)
    throw new FieldRefused("Pipe the password in: a terminal would show what is typed.");
  return Buffer.concat(await process.stdin.toArray()).toString();
}
