/**
 * The page at `/collections/`: each file with its version, date and size, how to open it, and the
 * changes of each release of the interface.
 */

import assert from "node:assert/strict";
import { type Html, html } from "../../kit/html.ts";
import { siteDocument } from "../frame.ts";
import { withCode } from "../reference/field-table.ts";
import type { CollectionFile } from "./files.ts";
import { type Release, readInterfaceHistory } from "./interface-history.ts";

export function indexPage(files: readonly CollectionFile[], publicUrl: string): string {
  const history = readInterfaceHistory();
  const [release] = history;
  assert(release !== undefined, "the changelog has the releases of the interface");
  const main = html`<h1>Collections</h1>
<p>Every request of the interface, ready to send: start Windward with <code>npm start</code>, open a
collection, and run it from top to bottom. It signs in as the demo merchant; put your own values
into its variables to go on from there.
The same facts are in the <a href="/docs/reference">reference</a> and in
<a href="/openapi.json">openapi.json</a>.</p>
<h2>Version ${release.version}, ${dayOf(release)}</h2>
<p>${withCode(release.changes)}</p>
<ul class="files">
${files.map(fileEntry)}
</ul>
<h2>What changed in the interface</h2>
<dl class="releases">
${history.map(releaseEntry)}
</dl>`;
  return siteDocument({
    title: "Collections · Windward",
    about: "Requests of Windward for Postman, Bruno and editors.",
    path: "/collections/",
    publicUrl,
    main,
  });
}

function fileEntry({ program, opening, name, latest, body }: CollectionFile): Html {
  const size = `${Math.ceil(body.length / 1024)} KB`;
  return html`<li>
<h3>${program}</h3>
<p>${opening}</p>
<p><a href="/collections/${name}" download>${name}</a> ${size}</p>
<p>Always the newest: <a href="/collections/${latest}" download>${latest}</a></p>
</li>\n`;
}

function releaseEntry(release: Release): Html {
  const { version, changes } = release;
  return html`<div><dt>${version} ${dayOf(release)}</dt><dd>${withCode(changes)}</dd></div>\n`;
}

function dayOf({ date }: Release): Html {
  return html`<time datetime="${date}">${date}</time>`;
}
