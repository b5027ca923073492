/** A page of one short form or message, for a browser that is not signed in. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { brandMark } from "./icon.ts";

export function narrowFrame(parts: {
  readonly heading: string;
  /** Flash message or problem summary. */
  readonly message?: HtmlValue;
  readonly content: HtmlValue;
  /** Below the sheet: where else to go. */
  readonly below?: HtmlValue;
}): Html {
  return html`<div class="narrow">
<header class="brand">${brandMark()}<strong>Windward</strong></header>
<main class="sheet">
<h1>${parts.heading}</h1>
${parts.message}
${parts.content}
</main>
${parts.below !== undefined && html`<footer class="narrow-below">${parts.below}</footer>`}
</div>`;
}
