/** What happened to one thing, in order. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { type Tone, toneIcon } from "./badge.ts";

export interface TimelineEntry {
  readonly tone: Tone;
  readonly title: HtmlValue;
  readonly at: Html;
  readonly detail?: HtmlValue;
}

export function timeline(label: string, entries: readonly TimelineEntry[]): Html {
  const items = entries.map(
    ({ tone, title, at, detail }) => html`<li class="${tone}">
<span class="timeline-mark">${toneIcon(tone)}</span>
<p class="timeline-title">${title}</p><p class="soft timeline-at">${at}</p>
${detail !== undefined && html`<div class="timeline-detail">${detail}</div>`}
</li>\n`,
  );
  return html`<ol class="timeline" aria-label="${label}">\n${items}</ol>`;
}
