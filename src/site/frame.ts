/**
 * What surrounds every page of the site (Decision 0114): brand, search, navigation, the contents of
 * the page. It all works without scripts; on a phone the navigation and the contents are folded.
 */

import { attributes, type Html, type HtmlValue, html, trusted } from "../kit/html.ts";
import { brandMark, icon } from "../parts/icon.ts";
import { renderDocument } from "../parts/page.ts";
import { siteScript, siteStyle } from "./assets.ts";
import { NAVIGATION, SEARCH_PATH } from "./guides.ts";

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface SiteDocument {
  readonly title: string;
  /** One line, for search engines and link previews. */
  readonly about: string;
  /** Of this page, as far as it has one of its own; marks it in the navigation. */
  readonly path?: string;
  /** Where this service is, for the picture of link previews. */
  readonly publicUrl?: string;
  readonly main: HtmlValue;
  readonly contents?: readonly Heading[];
  /** What was searched for. */
  readonly query?: string;
  /** Not for search engines. */
  readonly isUnlisted?: boolean;
  /** The home page has the whole width and no navigation beside it. */
  readonly isWide?: boolean;
}

export function siteDocument(parts: SiteDocument): string {
  const { title, isUnlisted = false, isWide = false, contents = [] } = parts;
  const hasContents = contents.length > 1;
  return renderDocument({
    title,
    isPublic: !isUnlisted,
    head: previewTags(parts),
    styles: [siteStyle],
    scripts: [siteScript],
    body: html`<div class="site${isWide ? " wide-site" : ""}">
<a class="skip" href="#main">Skip to content</a>
${header(parts)}
<div class="middle">
${!isWide && html`<nav class="pages site-nav" aria-label="Documentation">${pageLinks(parts)}</nav>`}
<main class="text" id="main" tabindex="-1">
${hasContents ? belowHeading(parts.main, foldedContents(contents)) : parts.main}
</main>
${
  hasContents &&
  html`<nav class="contents site-nav" aria-label="On this page">
<p>On this page</p>${contentLinks(contents)}</nav>`
}
</div>
<footer class="foot"><p>Windward: payments for merchants in the Caribbean.</p>
<p><a href="/docs">Documentation</a> <a href="/docs/changelog">Changelog</a>
<a href="/openapi.json">openapi.json</a> <a href="/llms.txt">llms.txt</a></p></footer>
<p class="unseen" role="status" id="announcer"></p>
</div>`,
  });
}

/** Whatever stands in its query, a page has one address for search engines. */
function previewTags({ title, about, path, publicUrl = "" }: SiteDocument): Html {
  const address = publicUrl + (path ?? "");
  const hasAddress = path !== undefined && publicUrl !== "";
  return html`<meta name="description" content="${about}">
${hasAddress && html`<link rel="canonical" href="${address}">`}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Windward">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${publicUrl}/social-card.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Windward: payments for the Caribbean">
<meta name="twitter:card" content="summary_large_image">
`;
}

function header(parts: SiteDocument): Html {
  return html`<header class="site-top">
<a class="brand" href="/">${brandMark()}<strong>Windward</strong></a>
<form class="find" role="search" action="${SEARCH_PATH}">
<label class="unseen" for="q">Search the documentation</label>
${icon("search")}<input id="q" name="q" type="search" autocomplete="off" maxlength="200"
placeholder="Search" value="${parts.query ?? ""}"><button class="unseen">Search</button>
<div class="found-panel" id="found" hidden></div>
</form>
<a class="top-link" href="/docs">Documentation</a>
<a class="button secondary small" href="/sign-in">Sign in</a>
<details class="menu-fold"><summary>Menu</summary>
<nav class="site-nav" aria-label="All pages">${pageLinks(parts)}</nav></details>
</header>`;
}

function pageLinks({ path }: SiteDocument): HtmlValue {
  const link = (href: string, title: string) => {
    const isAbove = href !== "/docs" && path?.startsWith(`${href}/`);
    const current = href === path ? "page" : isAbove && "true";
    return html`<li><a${attributes({ href, "aria-current": current })}>${title}</a></li>\n`;
  };
  return NAVIGATION.map(
    ({ group, pages }) => html`<p>${group}</p>
<ul>${pages.map((page) => link(page.path, page.title))}</ul>\n`,
  );
}

/** The heading of a page comes first, on a phone too. */
function belowHeading(main: HtmlValue, added: Html): Html {
  const page = html`${main}`.toString();
  const [head = ""] = /^.*?<\/h1>/s.exec(page) ?? [];
  return trusted(`${head}\n${added}${page.slice(head.length)}`);
}

function foldedContents(contents: readonly Heading[]): Html {
  return html`<details class="contents-fold"><summary>On this page</summary>
<nav class="site-nav" aria-label="Sections">${contentLinks(contents)}</nav></details>`;
}

function contentLinks(contents: readonly Heading[]): Html {
  const links = contents.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`);
  return html`<ul>${links}</ul>`;
}
