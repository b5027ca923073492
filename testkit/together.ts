/**
 * Runs test files one after the other in this process, each as a test whose subtests are the
 * file's own: a file's hooks begin and end with it, and services of two files never meet.
 *
 * Loading and warming up the service takes longer than most files do; a shared process pays it
 * once. Several such processes share one list: a file belongs to the process that claims it first,
 * so the lanes end at about the same time.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { mock, test } from "node:test";
import { pathToFileURL } from "node:url";

export async function together(
  files: readonly string[],
  { claims, filesMax }: { claims: string; filesMax: number },
): Promise<void> {
  const { now } = performance;
  let count = 0;
  for (const [index, file] of files.entries()) {
    if (count === filesMax) return;
    if (!isClaimed(path.join(claims, String(index)))) continue;
    count += 1;
    await test(file, async () => {
      // Mocks that the file before left behind. Of two of one method a reset takes back only one.
      mock.reset();
      assert.equal(performance.now, now, "an earlier file has left the clock mocked");
      await import(pathToFileURL(path.resolve(file)).href);
    });
  }
}

/** Creating a file that must not exist is atomic: one process succeeds. */
function isClaimed(claim: string): boolean {
  try {
    writeFileSync(claim, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
