/** The lines of an order: how many of what, and what they come to. */

import { type Html, html } from "../kit/html.ts";

interface Line {
  readonly name: string;
  readonly quantity: number;
  readonly amount: string;
}

export function itemList(label: string, lines: readonly Line[]): Html {
  return html`<ul class="items" aria-label="${label}">
${lines.map(
  ({ name, quantity, amount }) => html`<li><span>${quantity} × <bdi>${name}</bdi></span>
<span>${amount}</span></li>
`,
)}</ul>`;
}
