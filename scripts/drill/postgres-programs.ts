/** Debian's PostgreSQL on this machine, and the user it runs as: it refuses to run as root. */

import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import {
  chooseRuntimeUser,
  type RuntimeUser,
} from "../../src/infra/embedded-postgres/runtime-user.ts";

const DEBIAN_FOLDER = "/usr/lib/postgresql";
const VERSION_MIN = 15;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export interface Programs {
  readonly version: number;
  readonly user: RuntimeUser | undefined;
  pathOf(name: string): string;
  /** Runs one to its end; what it says is told only when it fails. */
  run(name: string, args: readonly string[], cwd: string): Promise<string>;
}

export function findPrograms(): Programs {
  const version = Math.max(...versions());
  if (version < VERSION_MIN)
    throw new Error(
      `No PostgreSQL ${VERSION_MIN} or later in ${DEBIAN_FOLDER}: apt-get install postgresql`,
    );
  const pathOf = (name: string) => path.join(DEBIAN_FOLDER, String(version), "bin", name);
  const user = chooseRuntimeUser({
    ownUid: process.getuid?.(),
    clusterOwner: undefined,
    dataDirOwner: statSync("/"),
    passwd: readFileSync("/etc/passwd", "utf8"),
  });
  return {
    version,
    user,
    pathOf,
    async run(name, args, cwd) {
      const options = { cwd, env: { LC_ALL: "C" }, maxBuffer: OUTPUT_BYTES_MAX, ...user };
      const { stdout } = await promisify(execFile)(pathOf(name), [...args], options);
      return stdout;
    },
  };
}

function versions(): number[] {
  try {
    return [0, ...readdirSync(DEBIAN_FOLDER).map(Number).filter(Number.isInteger)];
  } catch {
    return [0];
  }
}
