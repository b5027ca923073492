/** Facts about one thing: terms and their values. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";

export interface Definition {
  readonly term: string;
  readonly value: HtmlValue;
}

/** Those without a value are left out. */
export function definitionList(definitions: readonly Definition[]): Html {
  const known = definitions.filter(({ value }) => value !== undefined && value !== "");
  const rows = known.map(({ term, value }) => html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`);
  return html`<dl class="facts">\n${rows}</dl>`;
}
