/**
 * Form fields: a label, the control, what is wrong with it, a hint. Problem and hint are tied to
 * the control by `aria-describedby`, so that they are read with it. The payment page has the same
 * ones. A password is never written into a page.
 */

import {
  type Attributes,
  attributes,
  type Html,
  type HtmlValue,
  html,
  trusted,
} from "../kit/html.ts";
import type { Currency } from "../kit/money.ts";

interface FieldParts {
  /** Empty: it is only shown, and not sent. */
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
  return field(parts, inputOf(parts, type, value));
}

export function passwordField(parts: Omit<TextFieldParts, "type" | "value">): Html {
  return field(parts, inputOf({ ...parts, isCode: true }, "password"));
}

export function dateField(parts: Omit<TextFieldParts, "type">): Html {
  return textField({ ...parts, type: "date" });
}

/** An amount of a fixed currency, which stands before it and is read behind its label. */
export function moneyField(
  parts: Omit<TextFieldParts, "type" | "inputmode"> & { readonly currency: Currency },
): Html {
  const { currency, value = "" } = parts;
  const rules = { ...parts, inputmode: "decimal", autocomplete: "off", isCode: true } as const;
  const unit = `${idOf(parts)}-unit`;
  const input = inputOf(rules, "text", value, `${unit} ${describedBy(parts)}`);
  return field(
    parts,
    html`<span class="affixed"><span class="affix" id="${unit}">${currency}</span>
${input}</span>`,
  );
}

/**
 * A colour as `#rrggbb`, beside the browser's own choice of one, which is sent as `<name>_picked`
 * with `<name>_shown`, what it was: so it counts also where no script copies it into the text.
 */
export function colourField(
  parts: Omit<TextFieldParts, "type"> & { readonly preset: string; readonly pick: string },
): Html {
  const { name, value = "", preset, pick } = parts;
  const shown = HEX_COLOUR.test(value) ? value.toLowerCase() : preset;
  return field(
    parts,
    html`<span class="affixed"><input type="color" class="swatch" name="${name}_picked"
 value="${shown}" aria-label="${pick}" data-colour-of="${idOf(parts)}" autocomplete="off"><input
 type="hidden" name="${name}_shown" value="${shown}" autocomplete="off">
${inputOf({ ...parts, isCode: true }, "text", value)}</span>`,
  );
}

const HEX_COLOUR = /^#[0-9a-f]{6}$/i;

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
  return field(
    parts,
    html`<select${controlOf(parts)}>
${empty !== undefined && html`<option value="">${empty}</option>\n`}${optionsOf(options, value)}
</select>`,
  );
}

/** Lists of countries are long and always the same, so a list is written once. */
const written = new WeakMap<readonly Choice[], string>();

/** Without closing tags, which would be a tenth of the payment page. */
function optionsOf(choices: readonly Choice[], chosen: string | undefined): Html {
  const known = written.get(choices);
  const whole =
    known ?? choices.map(({ value, text }) => `${option(value)}${html`${text}`}`).join("");
  if (known === undefined) written.set(choices, whole);
  if (chosen === undefined) return trusted(whole);
  return trusted(whole.replace(option(chosen), () => option(chosen, true)));
}

function option(value: string, selected = false): string {
  return `<option${attributes({ value, selected })}>`;
}

export function textareaField(
  parts: FieldParts & { readonly value?: string; readonly rows?: number; maxlength?: number },
): Html {
  const { value = "", rows = 4, maxlength } = parts;
  // A line break right behind the tag is not part of the text.
  return field(
    parts,
    html`<textarea${controlOf(parts, { rows, maxlength })}>\n${value}</textarea>`,
  );
}

export function fileField(parts: FieldParts & { readonly accept?: string }): Html {
  const control = controlOf(parts, { type: "file", accept: parts.accept });
  return field(parts, html`<input${control}>`);
}

export function checkboxField(
  parts: Omit<FieldParts, "optional"> & { readonly value?: string; readonly isChecked?: boolean },
): Html {
  const { value = "yes", isChecked = false } = parts;
  const control = controlOf(parts, { type: "checkbox", value, checked: isChecked });
  return html`<div class="field check${parts.error ? " wrong" : ""}">
<label for="${idOf(parts)}"><input${control}><span>${parts.label}</span></label>
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

/** What every control has, around what is its own. */
function controlOf(parts: FieldParts, own: Attributes = {}, described = describedBy(parts)): Html {
  const { name, autocomplete, required, autofocus, error, data } = parts;
  const first = { id: idOf(parts), name: name === "" ? undefined : name };
  const last = {
    autocomplete,
    required,
    autofocus,
    "aria-invalid": error ? "true" : undefined,
    "aria-describedby": described,
  };
  return html`${attributes(first)}${attributes(own)}${attributes(last)}${data && dataOf(data)}`;
}

function dataOf(data: NonNullable<FieldParts["data"]>): HtmlValue {
  return Object.entries(data).map(
    ([name, words]) => words !== undefined && html` data-${name}="${words}"`,
  );
}

function inputOf(parts: TextFieldParts, type: string, value?: string, described?: string): Html {
  const { inputmode, maxlength, pattern, title, placeholder, readonly, isCode = false } = parts;
  const rules = { type, value, inputmode, maxlength, pattern, title, placeholder, readonly };
  return html`<input${controlOf(parts, rules, described)}${isCode && NOT_WORDS}>`;
}

const NOT_WORDS = attributes({ spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
