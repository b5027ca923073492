/**
 * The reference page's two files (Decision 0016). The viewer is Scalar, whose package holds its
 * whole browser bundle in one module: importing that here would cost every process 40 MB and a
 * quarter of a second of start. So it is unpacked by a short-lived thread, when somebody first
 * opens the page, and kept compressed.
 *
 * Its script takes seconds to arrive and begin. Until then, and without scripts, the page shows
 * the guides and everything there is by name; the viewer then takes their place.
 */

import { groupOf, TAGS } from "../infra/http/openapi/words.ts";
import type { Route } from "../infra/http/route.ts";
import { escapeXml } from "../kit/escape-xml.ts";
import { lazy } from "../kit/lazy.ts";
import { navigation } from "./guides.ts";
import { madeByThread } from "./made-by-thread.ts";
import { pageHtml, STYLE } from "./page-shell.ts";

const UNPACKER = new URL("./unpack-reference.ts", import.meta.url);

/** The viewer brings styles of its own and reads the document; nothing is of another origin. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

export const readReference = lazy(async () =>
  Buffer.from(await madeByThread<Uint8Array>(UNPACKER)),
);

export function referenceHtml(routes: readonly Route<never>[]): string {
  const chapters = TAGS.map(({ name, description }) => {
    const own = routes.filter((route) => groupOf(route) === name);
    const items = own.map(
      ({ method, path, summary }) =>
        `<li><code>${method} ${escapeXml(path)}</code> ${escapeXml(summary)}</li>`,
    );
    return `<h2>${name}</h2>\n<p>${escapeXml(description)}</p>\n<ul>${items.join("\n")}</ul>`;
  });
  const body = `<div class="plain">
<header>${navigation()}</header>
<main>
<h1>Windward reference</h1>
<p>The reference is being loaded. It shows what <a href="/openapi.json">openapi.json</a> says.</p>
<noscript><p>It needs JavaScript; the guides above do not.</p></noscript>
${chapters.join("\n")}
</main>
</div>
<div id="reference"></div>
<script src="/docs/reference.js" defer></script>`;
  return pageHtml({ title: "Windward reference", style: STYLE, body });
}
