/**
 * Debian's Chromium without a desktop, for machines on which the package of npm does not run: it is
 * made for x64 only. Downloaded and unpacked into a folder, with the libraries that the machine
 * lacks; nothing is installed, so nobody has to be root.
 */

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const PACKAGE = "chromium-headless-shell";
const run = promisify(execFile);

/** It starts from wherever the folder is by then. */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$0")
for folder in "$here"/usr/lib/*-linux-gnu "$here"/usr/lib/*-linux-gnu/pulseaudio; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/usr/lib/chromium/${PACKAGE}" "$@"
`;

export async function unpackDebianBrowser(folder: string, name: string): Promise<void> {
  try {
    await run("apt-get", ["download", ...(await missingPackages())], { cwd: folder });
    await run("sh", ["-c", `for each in *.deb; do dpkg-deb -x "$each" . && rm "$each"; done`], {
      cwd: folder,
    });
  } catch (cause) {
    throw new Error(
      `There is no browser for ${process.arch} in npm, and none was to be had from Debian. ` +
        "Install Chromium as /usr/bin/chromium and set BROWSER=system.",
      { cause },
    );
  }
  await writeFile(path.join(folder, name), LAUNCHER, { mode: 0o755 });
}

/** What Debian would install, told by its rehearsal. */
async function missingPackages(): Promise<string[]> {
  const rehearsal = ["install", "--simulate", "--reinstall", "--no-install-recommends", PACKAGE];
  const { stdout } = await run("apt-get", rehearsal);
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, found = ""]) => found);
}
