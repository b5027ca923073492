/** Whose card it is: country, address and phone. With AVS the bank compares the address. */

import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Choice } from "../../../parts/field.ts";
import { subdivisionsOf } from "../../platforms/subdivisions.ts";
import { countriesIn } from "../form/countries.ts";
import type { KeptValues } from "../form/form-values.ts";
import { type CardForm, input, PHONE, select } from "./card-form-fields.ts";
import { payWords } from "./order-summary.ts";

const ADDRESS: readonly (keyof KeptValues)[] = ["addr1", "addr2", "city", "state", "zipcode"];

export function renderBilling(form: CardForm): Html {
  const { view, step, t } = form;
  const { countries, dials } = countriesIn(t.language);
  // The simple page asks for an address only where it is compared.
  const hasAddress = step.isAvs || view.layout === "full";
  const help = html`<p class="soft small">${t.card.billingHelp}</p>`;
  const phone = attributes({ role: "group", "aria-label": t.fields.phone.label });
  return html`<fieldset>
<legend>${step.isAvs ? t.card.billing : t.card.contact}</legend>
${step.isAvs && help}
${select(form, {
  name: "country",
  autocomplete: "billing country",
  options: countries,
  empty: t.chooseCountry,
  required: step.isAvs,
})}
${hasAddress && address(form)}
<div class="phone"${phone}>
${select(form, { name: "dial", autocomplete: "off", options: dials, empty: t.chooseCountry })}
${input(form, PHONE)}
</div>
</fieldset>`;
}

/** With AVS it is part of the form; otherwise it folds away. */
function address(form: CardForm): Html {
  const { view, step, t } = form;
  const fields = addressFields(form);
  const isOpen =
    step.isAddressOpen === true ||
    ADDRESS.some((name) => step.problems.some(({ field }) => field === name));
  // Enter presses the first button of a form, which is not to be the one for states.
  const first = attributes({ class: "unseen", tabindex: -1, "aria-hidden": "true" });
  const states = attributes({
    class: "quiet small",
    name: "do",
    value: "states",
    formnovalidate: true,
  });
  return html`<noscript><button${first}>${payWords(view, t)}</button>
<button${states}>${t.showStates}</button></noscript>
${
  step.isAvs
    ? fields
    : html`<details${attributes({ open: isOpen })}>
<summary>${t.card.moreAddress} <span class="soft">(${t.optional})</span></summary>
${fields}
</details>`
}`;
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
