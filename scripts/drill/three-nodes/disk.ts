/**
 * A disk of its own for each node: a file system in a file, by a loop device. Where the machine
 * gives no loop device it is a piece of memory of the same size, and the drill says so.
 */

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { sweep } from "../../../testkit/tool/sweep.ts";

const BYTES = 1_200 * 1024 * 1024;
const FILLER = "filler";
/** How runTool calls the folders of this drill. */
const FOLDERS = "windward-drill-";

const run = promisify(execFile);

export type DiskKind = "loop device" | "memory";

export async function mountDisk(place: string): Promise<DiskKind> {
  await mkdir(place, { recursive: true });
  const image = `${place}.img`;
  const file = await open(image, "w");
  await file.truncate(BYTES);
  await file.close();
  try {
    await run("mkfs.ext4", ["-q", "-m", "0", "-E", "lazy_itable_init=1", image]);
    await run("mount", ["-o", "loop", image, place]);
    return "loop device";
  } catch {
    await rm(image);
    await run("mount", ["-t", "tmpfs", "-o", `size=${BYTES}`, "windward-drill", place]);
    return "memory";
  }
}

/** To the last block. */
export async function fillDisk(place: string): Promise<void> {
  const { bavail, bsize } = await statfs(place);
  const filler = path.join(place, FILLER);
  await run("fallocate", ["-l", String(bavail * bsize), filler]).catch(() => {});
  const file = await open(filler, "a");
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
}

export async function emptyDisk(place: string): Promise<void> {
  await rm(path.join(place, FILLER), { force: true });
}

/** What a drill left behind that could not tidy up: its folders, with what is mounted there. */
export function removeLeftovers(ownFolder: string): void {
  const above = path.dirname(ownFolder);
  for (const name of readdirSync(above)) {
    const folder = path.join(above, name);
    if (name.startsWith(FOLDERS) && folder !== ownFolder && hasMounts(folder)) sweep(folder);
  }
}

/** A two-node drill that runs at this moment mounts nothing. */
function hasMounts(folder: string): boolean {
  return readFileSync("/proc/mounts", "utf8").includes(` ${folder}/`);
}
