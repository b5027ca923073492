/** The commands of docs/operations.md: each block that is run has a name in a comment before it. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const GUIDE = path.join(PROJECT, "docs/operations.md");
const BLOCK = /<!-- drill: ([\w-]+) -->\n+```sh\n([\s\S]*?)```/g;

/** By name, as they are printed. */
export function guideBlocks(): ReadonlyMap<string, string> {
  const page = readFileSync(GUIDE, "utf8");
  return new Map([...page.matchAll(BLOCK)].map(([, name = "", block = ""]) => [name, block]));
}
