/**
 * The interactive reference, shown by Scalar (Decisions 0016 and 0115). Its script takes seconds to
 * load and start. Until then, and without scripts, the page leads to the reference that needs none.
 */

import { html } from "../kit/html.ts";
import { documentPolicy, renderDocument } from "../parts/page.ts";
import { tryStyle } from "./assets.ts";
import { REFERENCE_PATH } from "./guides.ts";

/** The viewer has styles of its own and reads the document; all come from this origin. */
export const TRY_POLICY = documentPolicy({
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "connect-src": "'self'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
});

export const TRY_SCRIPT_PATH = "/docs/reference.js";

export function tryHtml(): string {
  return renderDocument({
    title: "Try it · Windward",
    isPublic: true,
    styles: [tryStyle],
    head: html`<meta name="description" content="Send requests to Windward from the browser.">\n`,
    body: html`<nav class="try-top" aria-label="Site"><a href="/">Windward</a>
<a href="/docs">Docs</a> <a href="${REFERENCE_PATH}">Reference</a>
<a href="/docs/search">Search</a></nav>
<main><div class="plain"><h1>Windward reference</h1>
<p>The interactive reference is loading. You can read <a href="${REFERENCE_PATH}">the same
reference</a> meanwhile, or <a href="/openapi.json">openapi.json</a>.</p>
<noscript><p>It needs JavaScript. <a href="${REFERENCE_PATH}">The reference</a> and the guides do
not.</p></noscript></div>
<div id="reference"></div></main>
<script src="${TRY_SCRIPT_PATH}" defer></script>`,
  });
}
