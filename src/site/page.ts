/**
 * The frame of every page of the site: navigation, one style in light and dark, and a policy under
 * which the page loads nothing from another origin. The text is readable before any script runs.
 */

import { createHash } from "node:crypto";
import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, preparedText } from "../infra/http/serve/client-caching.ts";
import { Type } from "../kit/schema.ts";
import { HTML_TYPE } from "../parts/page.ts";
import { navigation } from "./guides.ts";

/** The languages that guides show code in. */
export const LANGUAGES = { sh: "curl", ts: "TypeScript", php: "PHP", python: "Python" } as const;

const HIDE_OTHER_LANGUAGES = Object.keys(LANGUAGES).map(
  (name) =>
    `body:has(#in-${name}:checked) pre[data-in]:not([data-in="${name}"]) { display: none; }`,
);

/** Limited to `.plain`, which the reference's viewer removes when it brings its own styles. */
const STYLE = `
:root:has(.plain) { color-scheme: light dark; }
body { margin: 0; }
.plain { --line: #c9ced6; --soft: #f3f5f8; --link: #0b57a4;
  max-width: 56rem; margin: 0 auto; padding: 1rem;
  font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  .plain { --line: #3d444f; --soft: #1d2229; --link: #8cc2ff; }
}
.plain * { box-sizing: border-box; }
.plain a { color: var(--link); }
.plain nav a { display: inline-block; margin-right: 1rem; }
.plain h1 { line-height: 1.2; }
.plain h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line);
  scroll-margin-top: 4rem; }
.plain code, .plain pre { font: 14px/1.5 ui-monospace, monospace; }
.plain code { background: var(--soft); padding: .1em .3em; border-radius: 4px; }
.plain pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; }
.plain pre code { padding: 0; background: none; }
.plain .wide { overflow-x: auto; }
.plain table { border-collapse: collapse; }
.plain th, .plain td { border: 1px solid var(--line); padding: .3rem .6rem; }
.plain th, .plain td { text-align: left; vertical-align: top; overflow-wrap: normal; }
.plain fieldset { position: sticky; top: 0; margin: 1rem 0; padding: .4rem 0; border: 0;
  border-bottom: 1px solid var(--line); background: Canvas;
  display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: 15px; }
.plain legend { float: left; padding: 0; }
.plain legend, .plain label { padding: .25rem 0; }
.plain label { cursor: pointer; }
.plain .files { display: grid; gap: 1rem; list-style: none; margin: 0; padding: 0; }
.plain .files li { border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.plain .files h3, .plain .files p { margin: 0; }
.plain .files a { display: inline-block; padding: .4rem 0; }
.plain dl div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .5rem 0;
  border-top: 1px solid var(--line); }
.plain dd { margin: 0; }
@media (max-width: 34rem) { .plain dl div { grid-template-columns: 1fr; } }
${HIDE_OTHER_LANGUAGES.join("\n")}
`;

const STYLE_DIGEST = createHash("sha256").update(STYLE).digest("base64");
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; ` +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What an answer with such a page has beside its body. */
export const PAGE = {
  contentType: HTML_TYPE,
  headers: { "content-security-policy": POLICY },
} as const;

export const PAGE_ANSWERS = cachedAnswers("A page", Type.String(), "text/html");

/** `after`: HTML behind the page's own text. */
export function pageHtml({
  title,
  main,
  after = "",
}: Record<"title" | "main", string> & { after?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="icon" href="data:," />
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="plain">
<header>${navigation()}</header>
<main>
${main}
</main>
</div>
${after}</body>
</html>
`;
}

/** Something that scrolls must be reachable by keyboard. */
export function preHtml(escaped: string): string {
  return `<pre tabindex="0"><code>${escaped}</code></pre>`;
}

/** A page that is the same for everybody: made on the first request, then kept. */
export function pageRoute<Ctx extends Infra>(parts: {
  readonly path: string;
  readonly summary: string;
  readonly policy?: string;
  readonly html: (ctx: Ctx) => string | Promise<string>;
}): Route<Ctx> {
  const { path, summary, policy = POLICY } = parts;
  const page = preparedText(parts.html);
  const headers = { "content-security-policy": policy };
  return publicRoute({
    method: "GET",
    path,
    summary,
    answers: PAGE_ANSWERS,
    run: async (ctx: Ctx, call) => cachedAs(call, { ...(await page(ctx)), ...PAGE, headers }),
  });
}
