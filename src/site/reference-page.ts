/**
 * The reference at `/docs` (Decision 0016), shown by Scalar. Its script takes seconds to load and
 * start. Until then, and without scripts, the page lists the guides and all routes.
 */

import type { Route } from "../infra/http/route.ts";
import { escapeXml } from "../kit/escape-xml.ts";
import { groupOf, TAGS } from "./openapi/prose.ts";
import { pageHtml } from "./page.ts";

/** The viewer has styles of its own and reads the document; all come from this origin. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

export function referenceHtml(routes: readonly Route<never>[]): string {
  const chapters = TAGS.map(({ name, description }) => {
    const own = routes.filter((route) => groupOf(route) === name);
    const items = own.map(
      ({ method, path, summary }) =>
        `<li><code>${method} ${escapeXml(path)}</code> ${escapeXml(summary)}</li>`,
    );
    return `<h2>${name}</h2>\n<p>${escapeXml(description)}</p>\n<ul>${items.join("\n")}</ul>`;
  });
  const main = `<h1>Windward reference</h1>
<p>The reference is loading. It shows what <a href="/openapi.json">openapi.json</a> says.</p>
<noscript><p>It needs JavaScript; the guides above do not.</p></noscript>
${chapters.join("\n")}`;
  const after = `<div id="reference"></div>
<script src="/docs/reference.js" defer></script>
`;
  return pageHtml({ title: "Windward reference", main, after });
}
