/** Filters that the visitor keeps under a name, and the form that saves what is shown. */

import { attributes, type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { SavedFilter } from "../../modules/people/saved-filters.ts";
import { textField } from "../../parts/field.ts";
import { button, buttonRow, postButton, postForm } from "../../parts/form.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { PAYMENTS, queryOf, type TypedFilters } from "./payment-filters.ts";

export const FILTERS = `${PAYMENTS}/filters`;
export const NAME_LENGTH_MAX = 60;

interface Parts {
  readonly typed: TypedFilters;
  readonly saved: readonly SavedFilter[];
  readonly refused?: RefusedForm | undefined;
}

export function savedFilterBar(
  { formToken }: Visitor,
  { typed, saved, refused }: Parts,
): HtmlValue {
  const query = queryOf(typed);
  const current = saved.find((each) => each.query === query);
  const isNew = query !== "" && current === undefined;
  if (saved.length === 0 && !isNew) return undefined;
  return html`<div class="buttons">${saved.map((each) => chip(each, each === current))}
${
  current !== undefined &&
  postButton({
    action: `${FILTERS}/remove`,
    csrf: formToken,
    hidden: { name: current.name },
    text: "Remove filter",
    kind: "quiet",
    isSmall: true,
    about: current.name,
  })
}
${isNew && saveForm(formToken, query, refused)}</div>`;
}

function chip({ name, query }: SavedFilter, isCurrent: boolean): Html {
  const href = `${PAYMENTS}?${query}`;
  const about = attributes({ href, "aria-current": isCurrent ? "true" : undefined });
  return html`<a class="button secondary small"${about} data-swap>${name}</a>`;
}

function saveForm(csrf: string, query: string, refused: RefusedForm | undefined): Html {
  const error = refused?.errorOf("name");
  return html`<details class="folded"${error !== undefined && html` open`}>
<summary class="button quiet small">Save this filter</summary>
<div class="folded-panel">${postForm({
    action: FILTERS,
    csrf,
    hidden: { query },
    content: html`${textField({
      name: "name",
      label: "Name",
      error,
      required: true,
      maxlength: NAME_LENGTH_MAX,
      autocomplete: "off",
    })}
${buttonRow(button({ text: "Save", kind: "primary" }))}`,
  })}</div>
</details>`;
}
