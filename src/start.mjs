/**
 * What `npm start` and `npm run operator` run. Plain JavaScript, because an older Node must be able
 * to read it far enough to say that it is too old; everything else is TypeScript that Node 24 runs
 * as it is.
 */

import { existsSync } from "node:fs";
import module from "node:module";
import process from "node:process";

const NODE_MAJOR_MIN = 24;

const major = Number(process.versions.node.split(".")[0]);
if (major < NODE_MAJOR_MIN) {
  process.stderr.write(
    `Windward needs Node ${NODE_MAJOR_MIN} or later; this is Node ${process.versions.node}.\n` +
      "A full install (npm ci) brings it along. After npm ci --omit=dev, install Node " +
      `${NODE_MAJOR_MIN} on this machine and start again.\n`,
  );
  process.exit(1);
}

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.TZ = "UTC";
// Password hashing, DNS and files share these threads; four are too few beside two hashes.
process.env.UV_THREADPOOL_SIZE ??= "8";
module.enableCompileCache?.();

if (process.argv[2] === "operator") await import("./cli.ts");
else await import("./main.ts");
