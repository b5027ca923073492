/**
 * What narrows a list: a search field that is always there and filters that fold away. It is sent
 * by GET, so that the address keeps it; where scripts run, only the list is fetched anew.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { button } from "./form.ts";
import { icon } from "./icon.ts";

export interface FilterFormParts {
  readonly action: string;
  readonly search: {
    readonly name: string;
    readonly label: string;
    readonly value?: string;
    readonly placeholder?: string;
  };
  /** Fields; absent where there is only a search. */
  readonly filters?: HtmlValue;
  /** How many of them are set. */
  readonly filtersSet?: number;
  /** One of them is wrong: they are unfolded. */
  readonly isOpen?: boolean;
  /** Leads to the list without any of it. */
  readonly clearHref?: string | undefined;
}

export function filterForm(parts: FilterFormParts): Html {
  const { action, search, clearHref } = parts;
  return html`<form class="filters" role="search" method="get" action="${action}" data-swap>
${searchField(search)}
${parts.filters !== undefined && foldedFilters(parts)}
${clearHref !== undefined && html`<a class="button quiet" href="${clearHref}" data-swap>Clear</a>`}
</form>`;
}

/** Nothing is suggested or corrected. */
const PLAIN = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };

function searchField(parts: FilterFormParts["search"]): Html {
  const { name, label, value = "", placeholder = "" } = parts;
  return html`<div class="search">
<label class="unseen" for="search-${name}">${label}</label>
<input id="search-${name}" type="search"${attributes({ name, value, placeholder, ...PLAIN })}>
<button class="button secondary" aria-label="Search">${icon("search")}</button>
</div>`;
}

function foldedFilters({ filters, filtersSet = 0, isOpen = false }: FilterFormParts): Html {
  const count = filtersSet > 0 && html` <span class="count">${filtersSet}</span>`;
  return html`<details class="folded" id="filters"${attributes({ open: isOpen })}>
<summary class="button secondary">Filters${count}</summary>
<div class="folded-panel">${filters}
<div class="buttons">${button({ text: "Apply", kind: "primary" })}</div></div>
</details>`;
}
