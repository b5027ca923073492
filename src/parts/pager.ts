/** From one page of a list to the next, by key: there is a newer and an older part, no numbers. */

import { attributes, type Html, html } from "../kit/html.ts";

export function pager(parts: {
  /** What is on the page: "50 payments". */
  readonly shown: string;
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}): Html {
  const { shown, newer, older } = parts;
  return html`<nav class="pager" aria-label="Pages">
<p class="soft" data-announce>${shown}</p>
${newer !== undefined && pageLink(newer, "prev", "Newer")}
${older !== undefined && pageLink(older, "next", "Older")}
</nav>`;
}

function pageLink(href: string, rel: "prev" | "next", text: string): Html {
  return html`<a class="button secondary"${attributes({ href, rel })} data-swap>${text}</a>`;
}
