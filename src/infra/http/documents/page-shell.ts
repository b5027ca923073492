/**
 * What the pages of the documents share: one style, in light and dark, and a policy that lets the
 * page load nothing from anybody else. Their words are there before any script is.
 */

import { createHash } from "node:crypto";

export const HTML_TYPE = "text/html; charset=utf-8";

export const STYLE = `
:root { color-scheme: light dark; --line: #c9ced6; --soft: #f3f5f8; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3d444f; --soft: #1d2229; --link: #8cc2ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1rem; }
header a { margin-right: 1rem; }
a { color: var(--link); }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; }
pre code { padding: 0; background: none; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; }
th, td { text-align: left; vertical-align: top; }
fieldset { position: sticky; top: 0; margin: 1rem 0; border: 1px solid var(--line);
  border-radius: 6px; background: Canvas; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
fieldset label { padding: .4rem 0; cursor: pointer; }
footer { margin: 3rem auto 2rem; }
`;

/** What code is shown in, and how it is called there. */
export const LANGUAGES = { sh: "curl", ts: "TypeScript", php: "PHP", python: "Python" } as const;

const choices = Object.keys(LANGUAGES).map(
  (name) =>
    `body:has(#in-${name}:checked) pre[data-in]:not([data-in="${name}"]) { display: none; }\n`,
);
export const GUIDE_STYLE = `${STYLE}${choices.join("")}`;

/** Its own style by its digest, and nothing else from anywhere. */
export const GUIDE_POLICY =
  `default-src 'none'; style-src 'sha256-${digestOf(GUIDE_STYLE)}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'";

function digestOf(style: string): string {
  return createHash("sha256").update(style).digest("base64");
}

export function pageHtml(parts: { title: string; style: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${parts.title}</title>
<style>${parts.style}</style>
</head>
<body>
${parts.body}
</body>
</html>
`;
}
