/** What is shown, as a file: every page of it, with the columns that are chosen. */

import { type Html, html } from "../../kit/html.ts";
import { CSV_COLUMNS } from "../../modules/transactions/history-csv.ts";
import { checkboxField } from "../../parts/field.ts";
import { button, buttonRow, hiddenFields } from "../../parts/form.ts";
import { PAYMENTS, type TypedFilters } from "./payment-filters.ts";

export const CSV_PATH = `${PAYMENTS}.csv`;

export function csvForm(typed: TypedFilters): Html {
  const columns = CSV_COLUMNS.map((name) =>
    checkboxField({
      name: "columns",
      id: `column-${name}`,
      label: labelOf(name),
      value: name,
      isChecked: true,
    }),
  );
  return html`<details class="folded">
<summary class="button secondary">Download CSV</summary>
<form class="folded-panel" method="get" action="${CSV_PATH}">
${hiddenFields(typed)}${columns}
${buttonRow(button({ text: "Download", kind: "primary" }))}
</form></details>`;
}

const WORDS: Readonly<Record<string, string>> = {
  id: "ID",
  desc: "description",
  fname: "first name",
  lname: "last name",
  addr1: "address",
  addr2: "address, second line",
  zipcode: "postal code",
};

/** "Customer first name". */
function labelOf(name: string): string {
  const words = name.split("_").map((word) => WORDS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
