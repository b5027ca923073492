/**
 * The document around every page, and the policy it is served under (Decision 0089): styles and
 * scripts of our own origin only, each pinned by its digest; no inline code, no frame around it, no
 * HTML made from text by a script. A page is never kept by a cache: it shows an account's data.
 */

import type { Answer } from "../infra/http/answer.ts";
import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { type Asset, scriptTag, styleTag } from "./assets.ts";

export const HTML_TYPE = "text/html; charset=utf-8";

export interface DocumentParts {
  readonly title: string;
  readonly lang?: string;
  /** Further tags of the head. */
  readonly head?: HtmlValue;
  /** For everybody: search engines may list it. */
  readonly isPublic?: boolean;
  readonly body: Html;
  readonly styles: readonly Asset[];
  readonly scripts?: readonly Asset[];
  /** Of the script tags, where the policy names one. */
  readonly nonce?: string;
  readonly htmlClass?: string;
  readonly bodyAttributes?: Readonly<Record<string, string | undefined>>;
}

export function renderDocument(parts: DocumentParts): string {
  const { title, lang = "en", head, body, styles, scripts = [], nonce } = parts;
  const document = html`<!doctype html>
<html${attributes({ lang, class: parts.htmlClass })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${parts.isPublic !== true && html`<meta name="robots" content="noindex, nofollow">`}
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map(styleTag)}
${head}${scripts.map((asset) => scriptTag(asset, nonce))}
</head>
<body${attributes(parts.bodyAttributes ?? {})}>
${body}
</body>
</html>
`;
  return document.toString();
}

/** Directives of a policy and their sources; undefined: left out. */
export type PolicyRules = Readonly<Record<string, string | undefined>>;

/** What every document needs: its style and its icon. The undefined one has its place here. */
const DOCUMENT_RULES: PolicyRules = {
  "default-src": "'none'",
  "script-src": undefined,
  "style-src": "'self'",
  "img-src": "'self' data:",
  "base-uri": "'none'",
};

/** The policy of a document that `renderDocument` makes, with further rules. */
export function documentPolicy(rules: PolicyRules = {}): string {
  return Object.entries({ ...DOCUMENT_RULES, ...rules })
    .filter(([, sources]) => sources !== undefined)
    .map(([name, sources]) => `${name} ${sources}`.trimEnd())
    .join("; ");
}

/** Of pages with our scripts, forms and nobody's frame around them. */
const PAGE_RULES: PolicyRules = {
  "script-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  // The script needs no policy of its own: the browser parses what it fetches.
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": documentPolicy(PAGE_RULES),
  "integrity-policy": "blocked-destinations=(script)",
  // With `no-referrer`, which other answers have, a browser sends `Origin: null` with a form.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

interface PageOptions extends Partial<Pick<Answer, "status" | "headers">> {
  /** What differs from the policy of all pages. */
  readonly policy?: PolicyRules;
}

/** A rendered document as an answer, under the policy of all pages. */
export function pageAnswer(
  document: string,
  { status = 200, headers = {}, policy = {} }: PageOptions = {},
): Answer {
  const own = { "content-security-policy": documentPolicy({ ...PAGE_RULES, ...policy }) };
  const all = { ...PAGE_HEADERS, ...own, ...headers };
  return { status, body: document, contentType: HTML_TYPE, headers: all };
}

/** After a post the browser reads what it leads to, so that nothing is sent twice by looking. */
export function seeOther(location: string): Answer {
  return { status: 303, body: "", contentType: HTML_TYPE, headers: { location } };
}
