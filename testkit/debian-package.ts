/**
 * Debian's own packages for tests: downloaded and unpacked into a folder together with the
 * libraries that the machine lacks. Nothing is installed, so it works without root
 * (Decision 0113).
 */

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const MS_MAX = 300_000;
const UNPACK = `for each in *.deb; do dpkg-deb -x "$each" . || exit 1; rm "$each"; done`;
const execute = promisify(execFile);

export interface DebianPackage {
  readonly name: string;
  /** Packages that it does not ask for by itself. */
  readonly others?: readonly string[];
  /**
   * Its program, as a path in the package or a pattern that fits one, and folders of libraries
   * beside the usual ones.
   */
  readonly program: string;
  readonly libraries?: readonly string[];
  /** Set before it starts, and given to it before its arguments: shell text with `$here`. */
  readonly environment?: string;
  readonly options?: string;
}

/** Writes a launcher of the given name into the folder, which may be moved as a whole. */
export async function unpackDebianPackage(
  { name, others = [], program, libraries = [], environment = "", options = "" }: DebianPackage,
  to: { folder: string; launcher: string },
): Promise<void> {
  const run = (command: string, ...args: string[]) =>
    execute(command, args, { cwd: to.folder, timeout: MS_MAX });
  // Reinstalled, so that the package is listed also where it is installed already.
  const simulated = ["install", "--simulate", "--reinstall", "--no-install-recommends"];
  const download = async (lists: readonly string[]) => {
    const { stdout } = await run("apt-get", ...lists, ...simulated, name, ...others);
    const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, each = ""]) => each);
    await run("apt-get", ...lists, "download", ...names);
    await run("sh", "-c", UNPACK);
  };
  try {
    // The machine's lists may be missing or name versions that are gone: then with new ones.
    await download([]).catch(async () => download(await freshLists(to.folder)));
  } catch (cause) {
    const words = `Debian's package ${name} could not be downloaded.`;
    throw new Error(`${words} Let apt-get reach its mirror, or install ${name}.`, { cause });
  }
  const folders = ["usr/lib/*-linux-gnu", ...libraries].map((each) => `"$here"/${each}`);
  const script = `#!/bin/sh
here=$(dirname "$0")
for folder in ${folders.join(" ")}; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
${environment}
exec "$here"/${program} ${options} "$@"
`;
  await writeFile(path.join(to.folder, to.launcher), script, { mode: 0o755 });
}

/** Package lists of our own, beside those of the machine; gives the options that use them. */
async function freshLists(folder: string): Promise<string[]> {
  const lists = path.join(folder, "lists");
  await mkdir(path.join(lists, "partial"), { recursive: true });
  const options = ["-o", `Dir::State::Lists=${lists}`];
  await execute("apt-get", [...options, "update"], { timeout: MS_MAX });
  return options;
}
