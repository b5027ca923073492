/** A titled part of a page, and the grids that panels stand in. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";

export interface PanelParts {
  readonly heading?: string;
  readonly text?: HtmlValue;
  /** Links or buttons beside the heading. */
  readonly actions?: HtmlValue;
  readonly content: HtmlValue;
  /** Refreshed by this id when the page's source says that something changed. */
  readonly live?: string;
  /** A table or a list reaches the panel's edges. */
  readonly isFlush?: boolean;
}

export function panel(parts: PanelParts): Html {
  const { heading, text, actions, content, live } = parts;
  const head =
    heading !== undefined &&
    html`<div class="panel-head"><div><h2>${heading}</h2>
${text !== undefined && html`<p class="soft">${text}</p>`}</div>
${actions !== undefined && html`<div class="buttons">${actions}</div>`}</div>`;
  const about = live !== undefined && html` id="${live}" data-live`;
  return html`<section class="panel${parts.isFlush === true ? " flush" : ""}"${about}>
${head}
<div class="panel-body">${content}</div>
</section>`;
}

/** Panels side by side where there is room. */
export function panelGrid(...panels: readonly HtmlValue[]): Html {
  return html`<div class="panels">${panels}</div>`;
}
