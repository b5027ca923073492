/** A copy of the project to break things in, with the packages linked, which nobody changes. */

import { cp, symlink } from "node:fs/promises";
import path from "node:path";

const WANTED = [
  ..."src sdk/src sdk/bin sdk/package.json sdk-php test testkit db web docs scripts".split(" "),
  ...["package.json", "tsconfig.json"],
];

export async function copyTree(root: string, into: string): Promise<string> {
  const tree = path.join(into, "tree");
  for (const name of WANTED)
    await cp(path.join(root, name), path.join(tree, name), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(tree, "node_modules"));
  return tree;
}
