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
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="data:,">
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

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  // The script needs no policy of its own: the browser parses what it fetches.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "integrity-policy": "blocked-destinations=(script)",
  // With `no-referrer`, which other answers have, a browser sends `Origin: null` with a form.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** A rendered document as an answer, under the policy of all pages. */
export function pageAnswer(
  document: string,
  { status = 200, headers = {} }: Partial<Pick<Answer, "status" | "headers">> = {},
): Answer {
  const all = { ...PAGE_HEADERS, ...headers };
  return { status, body: document, contentType: HTML_TYPE, headers: all };
}

/** After a post the browser reads what it leads to, so that nothing is sent twice by looking. */
export function seeOther(location: string): Answer {
  return { status: 303, body: "", contentType: HTML_TYPE, headers: { location } };
}
