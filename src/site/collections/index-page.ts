/**
 * The page at `/collections/`: each file with its version, date and size, how to open it, and the
 * changes of each release of the interface.
 */

import assert from "node:assert/strict";
import { escapeXml } from "../../kit/escape-xml.ts";
import { pageHtml } from "../page.ts";
import type { CollectionFile } from "./files.ts";
import { type Release, readInterfaceHistory } from "./interface-history.ts";

export function indexPage(files: readonly CollectionFile[]): string {
  const history = readInterfaceHistory();
  const [release] = history;
  assert(release !== undefined, "the changelog has the releases of the interface");
  const main = `<h1>Collections</h1>
<p>Every request of the interface, ready to send: start Windward with <code>npm start</code>, open a
collection, and run it from top to bottom. It signs in as the demo merchant; put your own values
into its variables to go on from there.
The same facts are in the <a href="/docs">reference</a> and in
<a href="/openapi.json">openapi.json</a>.</p>
<h2>Version ${release.version}, ${dayOf(release)}</h2>
<p>${words(release.changes)}</p>
<ul class="files">
${files.map(fileEntry).join("\n")}
</ul>
<h2>What changed in the interface</h2>
<dl>
${history.map(releaseEntry).join("\n")}
</dl>`;
  return pageHtml({ title: "Collections · Windward", main });
}

function fileEntry({ program, opening, name, latest, body }: CollectionFile): string {
  const size = `${Math.ceil(body.length / 1024)} KB`;
  return `<li>
<h3>${escapeXml(program)}</h3>
<p>${escapeXml(opening)}</p>
<p><a href="/collections/${name}" download>${name}</a> ${size}</p>
<p>Always the newest: <a href="/collections/${latest}" download>${latest}</a></p>
</li>`;
}

function releaseEntry(release: Release): string {
  const { version, changes } = release;
  return `<div><dt>${version} ${dayOf(release)}</dt><dd>${words(changes)}</dd></div>`;
}

function dayOf({ date }: Release): string {
  return `<time datetime="${date}">${date}</time>`;
}

/** Backticks mark the names of fields. */
function words(text: string): string {
  return escapeXml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
