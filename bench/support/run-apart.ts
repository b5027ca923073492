/**
 * Runs a load in a process of its own, so that it has an event loop of its own: a file that offers
 * one starts itself by its address, and prints its result as JSON.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import os from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** In a session of its own, so that its priority can be lowered as a whole. */
export async function runApart<Result>(file: string, load: object): Promise<Result> {
  const args = ["--v8-pool-size=1", fileURLToPath(file), JSON.stringify(load)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const end = () => child.kill();
  process.once("exit", end);
  try {
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    if (code !== 0) throw new Error(`${file} ended with ${code}`);
    return JSON.parse(output);
  } finally {
    process.off("exit", end);
  }
}

/**
 * For clients that would be on machines of their own: on this one they get what the service leaves.
 * Linux weighs sessions against each other first, and only then the processes of each.
 */
export function giveWay(): void {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  try {
    writeFileSync("/proc/self/autogroup", String(os.constants.priority.PRIORITY_LOW));
  } catch {
    // A kernel that weighs processes only.
  }
}

/** For the end of such a file: runs the load if the file is the main one. */
export async function answerApart<Load>(
  isMain: boolean,
  run: (load: Load) => Promise<object>,
): Promise<void> {
  const given = process.argv[2];
  if (isMain && given !== undefined)
    process.stdout.write(JSON.stringify(await run(JSON.parse(given))));
}
