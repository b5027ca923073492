/**
 * PHP for tests: the machine's own where it is new enough and has curl, otherwise Debian's,
 * unpacked once for a run (Decision 0113). Scripts run in a process of their own, beside the
 * service that they call.
 */

import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type DebianPackage, unpackDebianPackage } from "./debian-package.ts";
import { lazy } from "./lazy.ts";

export const SDK_PHP = fileURLToPath(new URL("../sdk-php/", import.meta.url));

/** By patterns, because releases of Debian differ in their version of PHP. */
const DEBIAN_PHP: DebianPackage = {
  name: "php-cli",
  others: ["php-curl"],
  program: "usr/bin/php[0-9]*",
  options: '-n -d extension_dir="$(echo "$here"/usr/lib/php/20*)" -d extension=curl',
};
const LAUNCHER = "php";
const IS_NEW_ENOUGH = "exit(PHP_VERSION_ID >= 80200 && extension_loaded('curl') ? 0 : 1);";
const MS_MAX = 120_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const execute = promisify(execFile);

let found: Promise<string> | undefined;

/** The program, 8.2 or later, with curl. */
export function findPhp(): Promise<string> {
  found ??= execute("php", ["-r", IS_NEW_ENOUGH]).then(
    () => "php",
    async () => path.join(await lazy("php", unpackPhp), LAUNCHER),
  );
  return found;
}

/** Runs a script that has the package loaded; gives what it printed, and fails when it failed. */
export async function runPhp(
  code: string,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const running = execute(await findPhp(), ["-r", scriptOf(code)], {
    timeout: MS_MAX,
    maxBuffer: ANSWER_BYTES_MAX,
  });
  running.child.stdin?.end(JSON.stringify(facts));
  return (await running).stdout;
}

/** With warnings as errors; `$facts` is the JSON that it is sent. */
export function scriptOf(code: string): string {
  return `
    declare(strict_types=1);
    error_reporting(E_ALL);
    ini_set('display_errors', 'stderr');
    set_error_handler(fn(int $kind, string $text, string $file, int $line)
      => throw new ErrorException($text, 0, $kind, $file, $line));
    require ${JSON.stringify(path.join(SDK_PHP, "autoload.php"))};
    $facts = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
    ${code}`;
}

async function unpackPhp(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-php-package-"));
  await unpackDebianPackage(DEBIAN_PHP, { folder, launcher: LAUNCHER });
  return folder;
}
