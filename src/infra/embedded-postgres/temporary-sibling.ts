/**
 * Folders that appear all at once: work is done in a sibling whose name carries our process id,
 * then renamed into place.
 *
 * A crash leaves only such a sibling behind, which nobody mistakes for the real thing; the next
 * start removes it.
 */
import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const ours = new Set<string>();

/**
 * Makes `path` with `build`, which fills a folder of a temporary name and returns what is to be
 * renamed. Returns false when somebody else was quicker; theirs is then as good as ours.
 */
export async function appearAtOnce(options: {
  path: string;
  build(temporary: string): Promise<string>;
}): Promise<boolean> {
  const { path, build } = options;
  await removeAbandoned(path);
  const temporary = `${path}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  ours.add(temporary);
  try {
    const done = await build(temporary);
    return await rename(done, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
        throw error;
      },
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
    ours.delete(temporary);
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const prefix = `${basename(path)}.new-`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const sibling = join(dirname(path), name);
    if (ours.has(sibling)) continue;
    const maker = Number.parseInt(name.slice(prefix.length), 10);
    // In a container the process ids repeat, so a folder with our own id may be of an earlier life.
    if (maker !== process.pid && isAlive(maker)) continue;
    // An initdb whose Windward was killed may still be writing there; then the next start tries
    // again.
    await rm(sibling, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
