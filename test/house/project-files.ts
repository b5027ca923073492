/**
 * The project as the house tests see it: every text file that git tracks, or would track when
 * added, as path → text. A file still lying about outside .gitignore is checked before it lands.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export type Files = ReadonlyMap<string, string>;

export const projectRoot = path.resolve(import.meta.dirname, "../..");

const LISTING_BYTES_MAX = 16 * 1024 * 1024;

export function projectFiles(): Files {
  const listing = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: projectRoot,
    encoding: "utf8",
    maxBuffer: LISTING_BYTES_MAX,
  });
  const paths = listing.split("\0").filter((file) => file !== "");
  // During a merge git names a conflicted file once per side: the map keeps one.
  return new Map(paths.toSorted().flatMap(readText));
}

function readText(file: string): [string, string][] {
  const absolute = path.join(projectRoot, file);
  // Deleted in the work tree and not yet in the index.
  if (!existsSync(absolute)) return [];
  const bytes = readFileSync(absolute);
  return bytes.includes(0) ? [] : [[file, bytes.toString("utf8")]];
}
