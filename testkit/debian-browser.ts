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
/** Reinstalled, so that the browser is named also where it is installed already. */
const REHEARSAL = ["install", "--simulate", "--reinstall", "--no-install-recommends", PACKAGE];
const MS_MAX = 300_000;
const UNPACK = `for each in *.deb; do dpkg-deb -x "$each" . || exit 1; rm "$each"; done`;
const execute = promisify(execFile);

/**
 * By its own place: `lazy` moves the folder once it is whole. PulseAudio keeps one library in a
 * folder of its own.
 */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$0")
for folder in "$here"/usr/lib/*-linux-gnu "$here"/usr/lib/*-linux-gnu/pulseaudio; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/usr/lib/chromium/${PACKAGE}" "$@"
`;

export async function unpackDebianBrowser(to: { folder: string; name: string }): Promise<void> {
  const run = (command: string, ...args: string[]) =>
    execute(command, args, { cwd: to.folder, timeout: MS_MAX });
  try {
    const { stdout } = await run("apt-get", ...REHEARSAL);
    await run("apt-get", "download", ...namesIn(stdout));
    await run("sh", "-c", UNPACK);
  } catch (cause) {
    throw new Error(
      `There is no browser for ${process.arch} in npm, and none was to be had from Debian ` +
        "(are there package lists? apt-get update brings them). " +
        "Or install Chromium as /usr/bin/chromium and set BROWSER=system.",
      { cause },
    );
  }
  await writeFile(path.join(to.folder, to.name), LAUNCHER, { mode: 0o755 });
}

/** What Debian would install, by its own words. */
function namesIn(rehearsal: string): string[] {
  return [...rehearsal.matchAll(/^Inst (\S+)/gm)].map(([, name = ""]) => name);
}
