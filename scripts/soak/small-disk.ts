/**
 * A disk that can be full: the tables live on a small memory disk of their own, whose size is cut
 * to what is used and given back. The log of PostgreSQL stays on the real disk, so a commit still
 * waits for a real flush. Only root can mount one; without it this fault is left out.
 */

import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, statfsSync } from "node:fs";
import process from "node:process";

export interface SmallDisk {
  readonly folder: string;
  own(uid: number, gid: number): void;
  /** False: more was written between the look and the cut, so it is not full. */
  fill(): boolean;
  free(): void;
  remove(): void;
}

const SIZE_BYTES = 6 * 1024 ** 3;
/** The last pages stay, so that the mount accepts its new size. */
const LEFT_BYTES = 64 * 1024;

export function mountSmallDisk(folder: string): SmallDisk | undefined {
  if (process.getuid?.() !== 0) return undefined;
  mkdirSync(folder);
  const mount = (size: number, again: string) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", `${again}size=${size}`, "tmpfs", folder], {
      stdio: "pipe",
    });
  try {
    mount(SIZE_BYTES, "");
  } catch {
    return undefined;
  }
  return {
    folder,
    own: (uid, gid) => chownSync(folder, uid, gid),
    fill() {
      const { blocks, bfree, bsize } = statfsSync(folder);
      try {
        mount((blocks - bfree) * bsize + LEFT_BYTES, "remount,");
        return true;
      } catch {
        return false;
      }
    },
    free: () => void mount(SIZE_BYTES, "remount,"),
    remove: () => void execFileSync("umount", ["-l", folder], { stdio: "pipe" }),
  };
}
