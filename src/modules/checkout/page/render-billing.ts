/** Whose card it is: country, address and phone. With AVS the bank compares the address. */

import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Choice } from "../../../parts/field.ts";
import { subdivisionsOf } from "../../platforms/subdivisions.ts";
import { countriesIn } from "../form/countries.ts";
import { FIELD_NAMES, isKept, type KeptValues } from "../form/form-values.ts";
import { type CardForm, input, PHONE, select } from "./card-form-fields.ts";
import { payWords } from "./order-summary.ts";

/** Those that are folded away where nothing is compared. */
const FOLDED = FIELD_NAMES.slice(FIELD_NAMES.indexOf("country")).filter(isKept);
const PHONE_PARTS: readonly (keyof KeptValues)[] = ["dial", "phone"];

/** With AVS it is part of the form, but for the phone; otherwise all of it may be left out. */
export function renderBilling(form: CardForm): Html {
  const { view, step, t } = form;
  if (step.isAvs)
    return html`<fieldset>
<legend>${t.card.billing}</legend>
<p class="soft small">${t.card.billingHelp}</p>
${country(form)}
${noScripts(form)}
${addressFields(form)}
${folded(form, { label: t.fields.phone.label, names: PHONE_PARTS, fields: phone(form) })}
</fieldset>`;
  // The simple page asks for an address only where it is compared.
  const hasAddress = view.layout === "full";
  const fields = html`${country(form)}
${hasAddress && addressFields(form)}
${phone(form)}`;
  return html`${hasAddress && noScripts(form)}
${folded(form, { label: t.card.contact, names: FOLDED, fields })}`;
}

/** Open where something in it is wrong, or was being filled in. */
function folded(
  { step, t }: CardForm,
  parts: {
    readonly label: string;
    readonly names: readonly (keyof KeptValues)[];
    readonly fields: Html;
  },
): Html {
  const { label, names, fields } = parts;
  const isOpen =
    step.isAddressOpen === true ||
    names.some((name) => step.problems.some(({ field }) => field === name));
  return html`<details${attributes({ open: isOpen })}>
<summary>${label} <span class="soft">(${t.optional})</span></summary>
<div class="fields">
${fields}
</div>
</details>`;
}

function country(form: CardForm): Html {
  const { step, t } = form;
  return select(form, {
    name: "country",
    autocomplete: "billing country",
    options: countriesIn(t.language).countries,
    empty: t.chooseCountry,
    required: step.isAvs,
  });
}

function phone(form: CardForm): Html {
  const { t } = form;
  const about = attributes({ role: "group", "aria-label": t.fields.phone.label });
  const options = countriesIn(t.language).dials;
  return html`<div class="phone"${about}>
${select(form, { name: "dial", autocomplete: "off", options, empty: t.chooseCountry })}
${input(form, PHONE)}
</div>`;
}

function noScripts({ view, t }: CardForm): Html {
  // Enter presses the first button of a form, which is not to be the one for states.
  const first = attributes({ class: "unseen", tabindex: -1, "aria-hidden": "true" });
  const states = attributes({
    class: "quiet small",
    name: "do",
    value: "states",
    formnovalidate: true,
  });
  return html`<noscript><button${first}>${payWords(view, t)}</button>
<button${states}>${t.showStates}</button></noscript>`;
}

function addressFields(form: CardForm): Html {
  const { step, t } = form;
  const required = step.isAvs;
  const options = statesOf(step.values.country);
  const hasStates = options.length > 0;
  const line = (name: "addr1" | "addr2", autocomplete: string, isRequired: boolean) =>
    input(form, { name, autocomplete, maxlength: 50, required: isRequired });
  return html`${line("addr1", "billing address-line1", required)}
${line("addr2", "billing address-line2", false)}
<div class="pair">
${input(form, { name: "city", autocomplete: "billing address-level2", maxlength: 30, required })}
${input(form, { name: "zipcode", autocomplete: "billing postal-code", maxlength: 10 })}
</div>
<div id="states"${attributes({ hidden: !hasStates })}>
${select(form, {
  name: "state",
  autocomplete: "billing address-level1",
  options,
  empty: t.chooseState,
  required: required && hasStates,
  isWanted: required,
})}
</div>`;
}

/** By the list of names, of which there is one for a country: a list is made once. */
const lists = new WeakMap<object, readonly Choice[]>();

function statesOf(country = ""): readonly Choice[] {
  const names = subdivisionsOf(country);
  const made = lists.get(names) ?? Object.entries(names).map(([value, text]) => ({ value, text }));
  lists.set(names, made);
  return made;
}
