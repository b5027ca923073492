/**
 * What `npm start` and `npm run operator` run. Plain JavaScript, because an older Node must be able
 * to read it far enough to say that it is too old; everything else is TypeScript that Node 24 runs
 * as it is.
 *
 * `npm ci` runs it once with `compile` (Decision 0060), so that no start has to.
 *
 * Node's flags stand in package.json, and the same in the units of docs/operations/: nobody reaches
 * a prototype by `__proto__`; a rejection that nobody handles ends the process; the heap has a
 * ceiling, and a small nursery keeps it small; and V8 has one helper thread for collecting and
 * compiling. With its four, marking kept both cores of a small machine from everybody for 80 ms at
 * a time (2 cores of Neoverse N1, November 2026).
 */

import { existsSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 24;
/** Beside the dependencies, so that an image which has them has this as well. */
const COMPILED = fileURLToPath(new URL("../node_modules/.cache/windward", import.meta.url));

const program = process.argv[2];
const major = Number(process.versions.node.split(".")[0]);
if (major < NODE_MAJOR_MIN) {
  // Nothing is lost by an install that compiles nothing.
  if (program === "compile") process.exit(0);
  process.stderr.write(
    `Windward needs Node ${NODE_MAJOR_MIN} or later; this is Node ${process.versions.node}.\n` +
      "A full install (npm ci, without --omit=dev or --ignore-scripts) brings it along. " +
      `Or install Node ${NODE_MAJOR_MIN} on this machine and start again.\n`,
  );
  process.exit(1);
}

// An installation need not be allowed to read the settings.
if (program !== "compile" && existsSync(".env")) process.loadEnvFile(".env");
process.env.TZ = "UTC";
// Password hashing, DNS and files share these threads; four are too few beside two hashes.
process.env.UV_THREADPOOL_SIZE ??= "8";
// Never in the folder for temporary files: others may write there, and what lies there is run.
module.enableCompileCache(process.env.NODE_COMPILE_CACHE || COMPILED);

if (program === "compile") await import("./compile.ts");
else if (program === "operator") await import("./cli.ts").then(({ main }) => main());
else await import("./main.ts").then(({ main }) => main());
