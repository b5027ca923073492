/**
 * The package's `native` folder somewhere else, for a server user who may not enter the checkout;
 * and the symbolic links of that folder, which npm packages cannot carry and which a script of the
 * package makes after installation.
 *
 * The copy appears all at once, so neither two starters nor a crash can leave half of one to be
 * run.
 */
import { chmod, cp, lstat, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { CannotStartDatabase, USE_ANOTHER_DATABASE } from "./cannot-start-database.ts";
import { appearAtOnce } from "./temporary-sibling.ts";

export async function copyBinaries(places: { from: string; to: string }): Promise<void> {
  const { from, to } = places;
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    await refuseStrangersFolder(dirname(to));
    // Whatever our umask made of it.
    await chmod(dirname(to), 0o755);
    if (await lstat(to).catch(() => undefined)) return;
    await appearAtOnce({
      path: to,
      async build(temporary) {
        await cp(from, temporary, { recursive: true, verbatimSymlinks: true });
        await mendSymlinks(temporary);
        await openToAll(temporary);
        return temporary;
      },
    });
  } catch (error) {
    if (error instanceof CannotStartDatabase || !(error instanceof Error)) throw error;
    throw new CannotStartDatabase(
      `PostgreSQL's user cannot enter ${from}, and no copy could be made in ${dirname(to)} ` +
        `(${error.message}). Move Windward to a folder others may enter, ` +
        `or ${USE_ANOTHER_DATABASE}.`,
      { cause: error },
    );
  }
}

/**
 * Makes the links listed in pg-symlinks.json that are missing, as after `npm install
 * --ignore-scripts`.
 */
export async function mendSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const entries = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of entries) {
    // Both are told relative to the package, as in native/lib/libpq.so.5.18 and
    // native/lib/libpq.so.5.
    const path = join(native, relative("native", target));
    const content = join(relative(dirname(target), dirname(source)), basename(source));
    await symlink(content, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/** What we run as somebody else's server must not be something a stranger has put there. */
async function refuseStrangersFolder(folder: string): Promise<void> {
  const facts = await lstat(folder);
  if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0) return;
  throw new CannotStartDatabase(
    `The folder ${folder}, where Windward keeps its copy of PostgreSQL, belongs to somebody else ` +
      "or may be written by others. Remove it and start again.",
  );
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
