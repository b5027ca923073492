/**
 * Runs test files one after the other in this process, each as a test whose subtests are the
 * file's own: hooks of a file begin and end with it, and services of two files never meet.
 *
 * Loading the service and warming it up takes longer than most files take; here it is paid once for
 * many of them.
 */

import path from "node:path";
import { mock, test } from "node:test";
import { pathToFileURL } from "node:url";

export function together(files: readonly string[]): void {
  for (const file of files)
    test(file, async () => {
      // What the file before has mocked and not given back is no business of this one.
      mock.reset();
      await import(pathToFileURL(path.resolve(file)).href);
    });
}
