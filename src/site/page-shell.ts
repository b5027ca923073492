/**
 * What the pages of the documents share: one style, in light and dark, and a policy that lets the
 * page load nothing from anybody else. Their words are there before any script is.
 */

import { createHash } from "node:crypto";

export const HTML_TYPE = "text/html; charset=utf-8";

/** All of it is of `.plain`, which is gone once the viewer with its own styles is there. */
export const STYLE = `
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
`;

/** What code is shown in, and how it is called there. */
export const LANGUAGES = { sh: "curl", ts: "TypeScript", php: "PHP", python: "Python" } as const;

const choices = Object.keys(LANGUAGES).map(
  (name) =>
    `body:has(#in-${name}:checked) pre[data-in]:not([data-in="${name}"]) { display: none; }\n`,
);
export const GUIDE_STYLE = `${STYLE}${choices.join("")}`;

export const GUIDE_POLICY = policyFor(GUIDE_STYLE);

/** Its own style by its digest, and nothing else from anywhere. */
export function policyFor(style: string): string {
  const digest = createHash("sha256").update(style).digest("base64");
  return (
    `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

export function pageHtml(parts: { title: string; style: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="icon" href="data:," />
<title>${parts.title}</title>
<style>${parts.style}</style>
</head>
<body>
${parts.body}
</body>
</html>
`;
}
