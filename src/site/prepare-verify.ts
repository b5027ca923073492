/**
 * Runs in a thread of its own (see `verify-page.ts`): the page's script and all that it imports,
 * without types, each under its file's name in one folder; and then the end.
 */

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parentPort } from "node:worker_threads";

const ENTRY = new URL("../../web/verify/page.ts", import.meta.url);
const IMPORT = /(?<=\bfrom ")(\.{1,2}\/[\w./-]+)\.ts(?=")/g;

const scripts = new Map<string, string>();
const places = new Map<string, string>();

function add(file: URL): void {
  const name = nameOf(file.pathname);
  const known = places.get(name);
  if (known === file.pathname) return;
  if (known !== undefined) throw new Error(`${known} and ${file.pathname} are both ${name}`);
  places.set(name, file.pathname);
  const script = stripTypeScriptTypes(readFileSync(file, "utf8"));
  scripts.set(
    name,
    script.replace(IMPORT, (place) => `./${nameOf(place)}`).replace(/[ \t]+$/gm, ""),
  );
  for (const [place] of script.matchAll(IMPORT)) add(new URL(place, file));
}

/** All stand in one folder of the page, so each file needs a name that no other has. */
function nameOf(place: string): string {
  return `${path.basename(place, ".ts")}.js`;
}

add(ENTRY);
parentPort?.postMessage(scripts);
