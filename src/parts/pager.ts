/** From one page of a list to the next, by key: there is a newer and an older part, no numbers. */

import { type Html, html } from "../kit/html.ts";

export function pager(parts: {
  /** What is on the page: "50 payments". */
  readonly shown: string;
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}): Html {
  const { shown, newer, older } = parts;
  return html`<nav class="pager" aria-label="Pages">
<p class="soft" data-announce>${shown}</p>
${newer !== undefined && html`<a class="button secondary" href="${newer}" rel="prev" data-swap>Newer</a>`}
${older !== undefined && html`<a class="button secondary" href="${older}" rel="next" data-swap>Older</a>`}
</nav>`;
}
