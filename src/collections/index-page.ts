/**
 * The page at `/collections/`: each file with its version, date and size, how to open it, and what
 * the releases of the interface changed. Plain HTML with a style of its own and no script.
 */

import { createHash } from "node:crypto";
import { INTERFACE_HISTORY, type Release } from "../infra/http/interface-history.ts";
import { escapeXml } from "../kit/escape-xml.ts";
import type { CollectionFile } from "./files.ts";

/** The colours of the payment page. */
const STYLE = `
:root { color-scheme: light dark; --ink: #14232b; --soft: #4c5d68; --ground: #eef3f4;
  --sheet: #fff; --rule: #dbe3e7; --strong: #0b5a67; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eff2; --soft: #aebcc5; --ground: #0e1519;
  --sheet: #172026; --rule: #2d3a42; --strong: #7fd3e0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
p { max-width: 40rem; }
ul, dl { list-style: none; margin: 0; padding: 0; }
.files { display: grid; gap: 1rem; }
.files li { background: var(--sheet); border: 1px solid var(--rule); border-radius: .5rem;
  padding: 1rem 1.25rem; }
h3 { font-size: 1.0625rem; margin: 0 0 .25rem; }
.files p { margin: 0; }
a { color: var(--strong); overflow-wrap: anywhere; }
.files a { display: inline-block; padding: .625rem 0; }
a:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; border-radius: 2px; }
.soft { color: var(--soft); }
dl div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .5rem 0;
  border-top: 1px solid var(--rule); }
dd { margin: 0; }
@media (max-width: 34rem) { dl div { grid-template-columns: 1fr; } }
`;

const STYLE_DIGEST = createHash("sha256").update(STYLE).digest("base64");

export const PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'";

const KIB = 1024;

export function indexPage(files: readonly CollectionFile[]): string {
  const [release] = INTERFACE_HISTORY;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Collections · Windward</title>
<style>${STYLE}</style>
</head>
<body>
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
</body>
</html>
`;
}

function fileEntry({ program, opening, name, latest, bytes }: CollectionFile): string {
  const size = `${Math.ceil(bytes.length / KIB)} KB`;
  return `<li>
<h3>${escapeXml(program)}</h3>
<p>${escapeXml(opening)}</p>
<p><a href="/collections/${name}" download>${name}</a> <span class="soft">${size}</span></p>
<p class="soft">Always the newest: <a href="/collections/${latest}" download>${latest}</a></p>
</li>`;
}

function releaseEntry(release: Release): string {
  const { version, changes } = release;
  const day = `<span class="soft">${dayOf(release)}</span>`;
  return `<div><dt>${version} ${day}</dt><dd>${words(changes)}</dd></div>`;
}

function dayOf({ date }: Release): string {
  return `<time datetime="${date}">${date}</time>`;
}

/** Names of fields stand between backticks, as everywhere in our words. */
function words(text: string): string {
  return escapeXml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
