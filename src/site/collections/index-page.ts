/**
 * The page at `/collections/`: each file with its version, date and size, how to open it, and what
 * the releases of the interface changed. One of the pages of the documents, without a script.
 */

import { INTERFACE_HISTORY, type Release } from "../../infra/http/interface-history.ts";
import { escapeXml } from "../../kit/escape-xml.ts";
import { navigation } from "../guides.ts";
import { pageHtml, policyFor, STYLE } from "../page-shell.ts";
import type { CollectionFile } from "./files.ts";

const PAGE_STYLE = `${STYLE}
.plain .files { display: grid; gap: 1rem; list-style: none; margin: 0; padding: 0; }
.plain .files li { border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.plain .files h3, .plain .files p { margin: 0; }
.plain .files a { display: inline-block; padding: .4rem 0; }
.plain dl div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .5rem 0;
  border-top: 1px solid var(--line); }
.plain dd { margin: 0; }
@media (max-width: 34rem) { .plain dl div { grid-template-columns: 1fr; } }
`;

export const PAGE_POLICY = policyFor(PAGE_STYLE);

const KIB = 1024;

export function indexPage(files: readonly CollectionFile[]): string {
  const [release] = INTERFACE_HISTORY;
  const body = `<div class="plain">
<header>${navigation()}</header>
<main>
<h1>Collections</h1>
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
${INTERFACE_HISTORY.map(releaseEntry).join("\n")}
</dl>
</main>
</div>`;
  return pageHtml({ title: "Collections · Windward", style: PAGE_STYLE, body });
}

function fileEntry({ program, opening, name, latest, bytes }: CollectionFile): string {
  const size = `${Math.ceil(bytes.length / KIB)} KB`;
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

/** Names of fields stand between backticks, as everywhere in our words. */
function words(text: string): string {
  return escapeXml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
