/**
 * Python for tests: the machine's own where it is new enough, otherwise Debian's, unpacked once for
 * a run (Decision 0113).
 */

import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type DebianPackage, unpackDebianPackage } from "./debian-package.ts";
import { lazy } from "./lazy.ts";

/** By a pattern, because releases of Debian differ in their version of Python. */
const DEBIAN_PYTHON: DebianPackage = {
  name: "python3",
  program: "usr/bin/python3.[0-9]*",
  environment: 'export PYTHONHOME="$here/usr"',
};
const LAUNCHER = "python";
const IS_NEW_ENOUGH = "import http.server, ssl, sys; sys.exit(sys.version_info < (3, 9))";

let found: Promise<string> | undefined;

/** The program, 3.9 or later. */
export function findPython(): Promise<string> {
  found ??= promisify(execFile)("python3", ["-c", IS_NEW_ENOUGH]).then(
    () => "python3",
    async () => path.join(await lazy("python", unpackPython), LAUNCHER),
  );
  return found;
}

async function unpackPython(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-python-package-"));
  await unpackDebianPackage(DEBIAN_PYTHON, { folder, launcher: LAUNCHER });
  return folder;
}
