/**
 * Where words of the glossary (test/house/glossary.ts) still stand: `npm run glossary` counts them
 * by folder, `npm run glossary -- <word>` lists the lines.
 */

import { folderOf, usesOf } from "../test/house/glossary.ts";
import { projectFiles } from "../test/house/project-files.ts";
import { say } from "../testkit/tool/say.ts";

const [wanted] = process.argv.slice(2);
const uses = usesOf(projectFiles());

if (wanted === undefined) {
  for (const [not, found] of Map.groupBy(uses, ({ word }) => word.not)) {
    const folders = Map.groupBy(found, ({ file }) => folderOf(file));
    const counts = [...folders].map(([folder, { length }]) => `${folder} ${length}`);
    say(`${not.padEnd(32)} ${String(found.length).padStart(5)}   ${counts.join(", ")}`);
  }
  say(`${"all".padEnd(32)} ${String(uses.length).padStart(5)}`);
} else
  for (const { word, file, line, text } of uses)
    if (word.not === wanted) say(`${file}:${line} ${text}  → ${word.instead}`);
