/**
 * The card form: which fields there are, what stands in them, and what is wrong with them.
 *
 * A value that is shown again comes from `KeptValues`, which has neither the
 * card number nor the security code.
 */

import { subdivisionsOf } from "../../platforms/subdivisions.ts";
import { type Choice, countriesIn } from "../form/countries.ts";
import type { FieldName, KeptValues } from "../form/form-values.ts";
import type { CardStep, CheckoutView } from "./checkout-view.ts";
import { templates, timeAttributes } from "./templates.ts";
import type { Texts } from "./texts-en.ts";

interface CardFormInput {
  readonly view: CheckoutView;
  readonly step: CardStep;
  readonly t: Texts;
  readonly amounts: { readonly total: string };
  readonly waiting: string;
}

interface FieldParts {
  readonly name: FieldName;
  readonly autocomplete: string;
  readonly required?: boolean;
  /** Required wherever it is shown: the script shows it later, for another country. */
  readonly isWanted?: boolean;
  readonly type?: string;
  readonly maxlength?: number;
  readonly inputmode?: string;
  readonly pattern?: string;
}

const ADDRESS: readonly (keyof KeptValues)[] = ["addr1", "addr2", "city", "state", "zipcode"];

export function renderCardForm(given: CardFormInput): string {
  const { view, step, t } = given;
  const { values } = step;
  const { countries, dials } = countriesIn(t.language);
  const shown = (name: FieldName) => ({
    text: t.fields[name],
    optional: t.optional,
    problem: step.problems.find(({ field }) => field === name)?.message ?? "",
  });
  return templates.card({
    ...given,
    ...timeAttributes(step, t),
    // The simple page asks for an address only where it is compared.
    hasAddress: step.isAvs || view.layout === "full",
    isAddressOpen:
      step.isAddressOpen === true ||
      ADDRESS.some((name) => step.problems.some(({ field }) => field === name)),
    countries: optionsOf(countries, values.country),
    dials: optionsOf(dials, values.dial),
    states: optionsOf(statesOf(values.country), values.state),
    field: (parts: FieldParts) =>
      templates.field({ type: "text", ...shown(parts.name), ...parts, ...typed(parts, values) }),
    select: (parts: FieldParts & { options: string; empty: string }) =>
      templates.select({ ...shown(parts.name), ...parts }),
  });
}

function typed({ name, inputmode }: FieldParts, values: KeptValues) {
  const value = name === "number" || name === "cvv" ? "" : (values[name] ?? "");
  return { value, isCode: inputmode !== undefined };
}

function statesOf(country = ""): readonly Choice[] {
  return Object.entries(subdivisionsOf(country)).map(([value, text]) => ({ value, text }));
}

function optionsOf(choices: readonly Choice[], chosen: string | undefined): string {
  return templates.options({ choices, chosen });
}
