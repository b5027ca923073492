/**
 * PostgreSQL's lock file `postmaster.pid`: whose server a cluster has, on which port, and how far
 * its start has come.
 *
 * PostgreSQL replaces a stale file by itself when the process is dead, but refuses to start when
 * the process id now belongs to a zombie or to a stranger, or when a crash of the machine left the
 * file empty. Those we remove.
 */
import { randomBytes } from "node:crypto";
import { link, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";

export interface PostmasterFile {
  /** The server's process id; 0 when the file is empty or holds something else. */
  readonly pid: number;
  /** 0 as long as the server has not written it. */
  readonly port: number;
  readonly isReady: boolean;
  readonly text: string;
}

export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  try {
    return parsePostmasterFile(await readFile(join(folder, "postmaster.pid"), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function parsePostmasterFile(text: string): PostmasterFile {
  const lines = text.split("\n");
  const positive = (line: string | undefined) =>
    /^[1-9]\d{0,9}$/.test(line ?? "") ? Number(line) : 0;
  return {
    pid: positive(lines[0]),
    port: positive(lines[3]),
    isReady: lines[7]?.trim() === "ready",
    text,
  };
}

/**
 * Removes the file that was judged stale, and no other: between the judgement and the removal a
 * rival may have started a server of its own, so the file is first moved aside, compared, and put
 * back if it is not the one that was judged.
 */
export async function removeStaleFile(stale: { folder: string; text: string }): Promise<void> {
  const path = join(stale.folder, "postmaster.pid");
  const aside = join(stale.folder, `postmaster.pid.stale-${randomBytes(4).toString("hex")}`);
  try {
    await rename(path, aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  if ((await readFile(aside, "utf8")) !== stale.text) {
    await link(aside, path).catch(() => undefined);
  }
  await unlink(aside);
}
