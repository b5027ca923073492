/** In place of a list with nothing in it: what would be here, and how it gets here. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { type IconName, icon } from "./icon.ts";

export function emptyState(parts: {
  readonly heading: string;
  readonly text?: HtmlValue;
  readonly icon?: IconName;
  readonly action?: Html;
}): Html {
  return html`<div class="empty">${icon(parts.icon ?? "inbox")}
<p class="empty-heading">${parts.heading}</p>
${parts.text !== undefined && html`<p class="soft">${parts.text}</p>`}
${parts.action !== undefined && html`<div class="buttons">${parts.action}</div>`}
</div>`;
}
