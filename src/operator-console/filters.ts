/** The options of a read command as the filters of its list; they live in the address. */

import type { RefusedForm } from "../console/refused.ts";
import { attributes, type Html, html } from "../kit/html.ts";
import type { Command } from "../modules/operator/command.ts";
import { isSwitch } from "../modules/operator/read-arguments.ts";
import { selectField, textField } from "../parts/field.ts";
import { button, buttonRow } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { labelFor } from "./actions/action-words.ts";
import { inPageWords } from "./page-words.ts";
import { stateText } from "./state-words.ts";

type Typed = Readonly<Record<string, string>>;

/** As it stands in the address; whether it can be read is found out when the list is. */
export function filtersOf({ fields }: Command, url: string, preset: Typed = {}): Typed {
  const asked = new URL(url).searchParams;
  const typed = Object.keys(fields).flatMap((name): [string, string][] => {
    const value = (asked.get(name) ?? preset[name] ?? "").trim();
    return value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(typed);
}

export function filterLabels({ fields }: Command): Typed {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, labelFor(name)]));
}

/** Open where something else than usual is shown. */
export function filterForm(
  { fields }: Command,
  about: {
    action: string;
    typed: Typed;
    preset?: Typed | undefined;
    isOpen: boolean;
    refused?: RefusedForm | undefined;
  },
): Html | undefined {
  const { action, typed, preset = {}, isOpen, refused } = about;
  const names = Object.keys(fields).filter((name) => !isSwitch(fields, name));
  if (names.length === 0) return undefined;
  const controls = names.map((name) => {
    const schema = fields[name]?.schema ?? {};
    const shown = {
      name,
      label: labelFor(name),
      hint: inPageWords(String(schema.description ?? "")),
      error: refused?.errorOf(name),
    };
    const value = typed[name] ?? "";
    if (!Array.isArray(schema.enum))
      return textField({ ...shown, value, isCode: true, autocomplete: "off" });
    const options = schema.enum.map((word) => ({
      value: String(word),
      text: stateText(String(word)),
    }));
    return selectField({ ...shown, options, value: value || undefined, empty: "All" });
  });
  const open = isOpen || names.some((name) => typed[name] !== preset[name]);
  return panel({
    content: html`<details class="more"${attributes({ open })}><summary>Filters</summary>
<form class="form" method="get" action="${action}">
${controls}
${buttonRow(button({ text: "Show", kind: "primary" }))}
</form></details>`,
  });
}
