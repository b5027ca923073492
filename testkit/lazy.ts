/**
 * Folders that several test files need alike and only copy: the first that asks makes it, for all
 * of a run. They stand in the run's own folder and go with it.
 */

import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";

export async function lazy(name: string, make: () => Promise<string>): Promise<string> {
  const { TEST_FOLDER } = process.env;
  if (TEST_FOLDER === undefined)
    throw new Error("Run tests with npm run test:one -- <file>: it makes the folder they share.");
  const place = path.join(TEST_FOLDER, name);
  if (existsSync(place)) return place;
  const made = await make();
  // It appears whole or not at all; and a process that was quicker has made the same.
  await rename(made, place).catch((error) => {
    if (!existsSync(place)) throw error;
  });
  return place;
}
