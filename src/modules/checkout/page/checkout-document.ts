/** The document around every page of the checkout: its head, its layout, its last line. */

import { type Html, html } from "../../../kit/html.ts";
import { accentStyle } from "../../../parts/accent.ts";
import { renderDocument } from "../../../parts/page.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { ASSETS_PATH, script, style } from "./assets.ts";
import type { CheckoutView } from "./checkout-view.ts";

export interface Refresh {
  readonly seconds: number;
  readonly to: string;
}

/** Framed: a document in the payment page's own frame, where the card's bank is. */
export type PageLayout = CheckoutView["layout"] | "framed" | "framed simple";

export function checkoutDocument(parts: {
  readonly t: Texts;
  readonly layout: PageLayout;
  readonly title: string;
  readonly body: Html;
  /** The merchant's own colour. */
  readonly accent?: string | undefined;
  /** The script's own, new for every answer; a page without one has no script. */
  readonly nonce?: string;
  /** Where and when a browser without scripts goes on by itself. */
  readonly refresh?: Refresh | undefined;
}): string {
  const { t, layout, title, body, accent, nonce, refresh } = parts;
  return renderDocument({
    title,
    lang: t.language,
    htmlClass: layout,
    head: html`<meta name="referrer" content="same-origin">
${refresh && refreshTag(refresh)}`,
    styles: accent === undefined ? [style] : [style, accentStyle(ASSETS_PATH, accent)],
    ...(nonce === undefined ? {} : { scripts: [script], nonce }),
    body: layout.startsWith("framed") ? body : html`${body}\n${footer(t)}`,
  });
}

function refreshTag({ seconds, to }: Refresh): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds};url=${to}"></noscript>\n`;
}

function footer(t: Texts): Html {
  return html`<footer><p><svg width="14" height="16" viewBox="0 0 14 16" aria-hidden="true">
<path d="M3 7V5a4 4 0 0 1 8 0v2" fill="none" stroke="currentColor" stroke-width="2"/>
<rect x="1" y="7" width="12" height="9" rx="2" fill="currentColor"/></svg>
${t.footer}</p></footer>`;
}
