/** A copy of the project to break things in, with the packages linked, which nobody changes. */

import { cp, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const WANTED = ["src", "test", "db", "web", "docs", "scripts", "package.json", "tsconfig.json"];

export async function copyTree(root: string): Promise<string> {
  const tree = await realpath(await mkdtemp(path.join(tmpdir(), "windward-mutants-")));
  for (const name of WANTED)
    await cp(path.join(root, name), path.join(tree, name), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(tree, "node_modules"));
  return tree;
}

export function removeTree(tree: string): Promise<void> {
  return rm(tree, { recursive: true, force: true });
}
