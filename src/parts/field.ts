/**
 * Form fields: a label, the control, what is wrong with it, a hint. Problem and hint are tied to
 * the control by `aria-describedby`, so that they are read with it. The payment page has the same
 * ones. A password is never written into a page.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import type { Currency } from "../kit/money.ts";

interface FieldParts {
  readonly name: string;
  /** Differs from the name where two forms of a page have a field of that name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: HtmlValue;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** The word that says so beside the label. */
  readonly optional?: string;
  readonly autocomplete?: string;
  readonly autofocus?: boolean;
  /** Words for the page's script, by the names behind `data-`. */
  readonly data?: Readonly<Record<string, string | undefined>>;
}

export interface TextFieldParts extends FieldParts {
  readonly type?: "text" | "email" | "tel" | "url" | "search" | "date";
  readonly value?: string;
  readonly inputmode?: "numeric" | "decimal" | "email" | "tel" | "url";
  readonly maxlength?: number;
  readonly pattern?: string;
  readonly title?: string;
  readonly placeholder?: string;
  readonly readonly?: boolean;
  /** Not words: nothing is corrected or capitalised in it. */
  readonly isCode?: boolean;
}

export function textField(parts: TextFieldParts): Html {
  const { type = "text", value = "" } = parts;
  return field(parts, html`<input${attributes({ ...inputOf(parts), type, value })}>`);
}

export function passwordField(parts: Omit<TextFieldParts, "type" | "value">): Html {
  const input = inputOf({ ...parts, isCode: true });
  return field(parts, html`<input${attributes({ ...input, type: "password" })}>`);
}

export function dateField(parts: Omit<TextFieldParts, "type">): Html {
  return textField({ ...parts, type: "date" });
}

/** An amount of a fixed currency, which stands before it and is read behind its label. */
export function moneyField(
  parts: Omit<TextFieldParts, "type" | "inputmode"> & { readonly currency: Currency },
): Html {
  const { currency, value = "" } = parts;
  const input = inputOf({ ...parts, inputmode: "decimal", autocomplete: "off", isCode: true });
  const unit = `${idOf(parts)}-unit`;
  const describedby = `${unit} ${describedBy(parts)}`;
  const control = { ...input, type: "text", value, "aria-describedby": describedby };
  return field(
    parts,
    html`<span class="affixed"><span class="affix" id="${unit}">${currency}</span>
<input${attributes(control)}></span>`,
  );
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export interface SelectParts extends FieldParts {
  readonly options: readonly Choice[];
  readonly value?: string | undefined;
  /** The choice of nothing. */
  readonly empty?: string;
}

export function selectField(parts: SelectParts): Html {
  const { options, value, empty } = parts;
  // Without closing tags: countries alone are 250 of them.
  const choices = options.map((each) => {
    const about = attributes({ value: each.value, selected: each.value === value });
    return html`<option${about}>${each.text}`;
  });
  return field(
    parts,
    html`<select${attributes(controlOf(parts))}>
${empty !== undefined && html`<option value="">${empty}</option>\n`}${choices}
</select>`,
  );
}

export function textareaField(
  parts: FieldParts & { readonly value?: string; readonly rows?: number; maxlength?: number },
): Html {
  const { value = "", rows = 4, maxlength } = parts;
  // A line break right behind the tag is not part of the text.
  return field(
    parts,
    html`<textarea${attributes({ ...controlOf(parts), rows, maxlength })}>\n${value}</textarea>`,
  );
}

export function fileField(parts: FieldParts & { readonly accept?: string }): Html {
  const control = attributes({ ...controlOf(parts), type: "file", accept: parts.accept });
  return field(parts, html`<input${control}>`);
}

export function checkboxField(
  parts: Omit<FieldParts, "optional"> & { readonly value?: string; readonly isChecked?: boolean },
): Html {
  const { value = "yes", isChecked = false } = parts;
  const control = { ...controlOf(parts), type: "checkbox", value, checked: isChecked };
  return html`<div class="field check${parts.error ? " wrong" : ""}">
<label for="${idOf(parts)}"><input${attributes(control)}><span>${parts.label}</span></label>
${wordsOf(parts)}
</div>`;
}

/** One of a few. The group's label is its legend. */
export function radioGroup(
  parts: FieldParts & {
    readonly options: readonly (Choice & { readonly hint?: string })[];
    readonly value?: string;
  },
): Html {
  const { name, label, options, value, required, error } = parts;
  const choices = options.map((each, index) => {
    const id = index === 0 ? idOf(parts) : `${idOf(parts)}-${index + 1}`;
    const checked = each.value === value;
    const control = attributes({ id, name, type: "radio", value: each.value, checked, required });
    const hint = each.hint !== undefined && html`<span class="help">${each.hint}</span>`;
    return html`<label for="${id}"><input${control}><span>${each.text}${hint}</span></label>`;
  });
  const className = `field radios${error ? " wrong" : ""}`;
  return html`<fieldset class="${className}" aria-describedby="${describedBy(parts)}">
<legend>${label}${optionalWord(parts)}</legend>
${choices}
${wordsOf(parts)}
</fieldset>`;
}

function field(parts: FieldParts, control: Html): Html {
  const { label, error } = parts;
  return html`<div class="field${error ? " wrong" : ""}">
<label for="${idOf(parts)}">${label}${optionalWord(parts)}</label>
${control}
${wordsOf(parts)}
</div>`;
}

function optionalWord({ optional }: FieldParts): HtmlValue {
  return optional !== undefined && html` <span class="soft">(${optional})</span>`;
}

/** The paragraph of the problem is there without one, so that a script can write into it. */
function wordsOf(parts: FieldParts): Html {
  const id = idOf(parts);
  return html`<p class="problem" id="${id}-wrong">${parts.error}</p>${
    parts.hint !== undefined && html`\n<p class="help" id="${id}-help">${parts.hint}</p>`
  }`;
}

function idOf({ id, name }: FieldParts): string {
  return id ?? name;
}

function describedBy(parts: FieldParts): string {
  const id = idOf(parts);
  return parts.hint === undefined ? `${id}-wrong` : `${id}-wrong ${id}-help`;
}

function controlOf(parts: FieldParts) {
  const { name, autocomplete, required, autofocus, error, data = {} } = parts;
  const words = Object.entries(data).map(([key, value]) => [`data-${key}`, value] as const);
  return {
    id: idOf(parts),
    name,
    autocomplete,
    required,
    autofocus,
    "aria-invalid": error ? "true" : undefined,
    "aria-describedby": describedBy(parts),
    ...Object.fromEntries(words),
  };
}

function inputOf(parts: TextFieldParts) {
  const { inputmode, maxlength, pattern, title, placeholder, readonly, isCode = false } = parts;
  const plain = isCode ? { spellcheck: "false", autocapitalize: "off", autocorrect: "off" } : {};
  const rules = { inputmode, maxlength, pattern, title, placeholder, readonly };
  return { ...controlOf(parts), ...rules, ...plain };
}
