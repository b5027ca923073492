/**
 * What every page of a payment link has around it: the business on one side, what there is to read
 * or to do on the other. It looks like the payment page that follows.
 */

import { type Html, html } from "../../kit/html.ts";
import type { Language } from "../../kit/vocabulary.ts";
import { accentStyle } from "../../parts/accent.ts";
import { renderDocument } from "../../parts/page.ts";
import { shopPicture } from "../../parts/shop-picture.ts";
import type { LinkWords } from "../../words/link/en.ts";
import { logoOf, pictureOf } from "../business/shop.ts";
import { ASSETS_PATH, script, style } from "../checkout/page/assets.ts";
import type { Offer } from "./offer.ts";

/** How a page is made: of which layout, in which words. */
export interface LinkPage {
  readonly t: LinkWords;
  readonly language: Language;
  readonly isFramed: boolean;
  readonly nonce: string;
}

/** A page that knows of no link. */
export function renderPlain(
  { t, language, isFramed }: Omit<LinkPage, "nonce">,
  words: { readonly heading: string; readonly text: string; readonly link?: Html },
): string {
  return renderDocument({
    title: words.heading,
    lang: language,
    htmlClass: isFramed ? "simple" : "full",
    styles: [style],
    body: html`<div class="sheet plain"><main>
<h1>${words.heading}</h1>
<p>${words.text}</p>
${words.link}
</main></div>
${footer(t)}`,
  });
}

export function pathOf({ slug }: { readonly slug: string }, isFramed: boolean): string {
  return `/pay/${slug}${isFramed ? "?frame=1" : ""}`;
}

export function renderAround(
  { t, language, isFramed, nonce }: LinkPage,
  offer: Offer,
  parts: { readonly title: string; readonly main: Html; readonly summary?: Html },
): string {
  const { accent_colour: accent } = offer;
  return renderDocument({
    title: parts.title,
    lang: language,
    htmlClass: isFramed ? "simple" : "full",
    head: html`<meta name="referrer" content="same-origin">\n`,
    styles: accent === null ? [style] : [style, accentStyle(ASSETS_PATH, accent)],
    scripts: [script],
    nonce,
    body: html`<div class="sheet">
<aside class="order" aria-label="${t.order}">
<div class="shop">
${shopPicture({ name: offer.shop, logo: logoOf(offer), picture: pictureOf(offer) })}
<p><span class="soft">${t.payTo}</span>
<strong><bdi>${offer.shop}</bdi></strong></p>
${offer.environment === "sandbox" && html`<span class="badge">${t.sandbox}</span>`}
</div>
${parts.summary}
</aside>
<main>
${parts.main}
</main>
</div>
${footer(t)}`,
  });
}

function footer(t: LinkWords): Html {
  return html`<footer><p>${t.footer}</p></footer>`;
}
