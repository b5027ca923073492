/**
 * The fields of the card form: their rules, what stands in them, and what is wrong with them.
 *
 * A value that is shown again comes from `KeptValues`, which has nothing of the card but its
 * holder.
 */

import type { Html } from "../../../kit/html.ts";
import { type Choice, selectField, textField } from "../../../parts/field.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { type FieldName, isKept } from "../form/form-values.ts";
import type { CardStep, CheckoutView } from "./checkout-view.ts";

/** All that the parts of the form share. */
export interface CardForm {
  readonly view: CheckoutView;
  readonly step: CardStep;
  readonly t: Texts;
}

interface FieldRules {
  readonly name: FieldName;
  readonly autocomplete: string;
  readonly maxlength: number;
  readonly required?: boolean;
  readonly type?: "email" | "tel";
  readonly inputmode?: "numeric" | "email";
  readonly pattern?: string;
}

interface FieldWords {
  readonly label: string;
  readonly help?: string;
  readonly missing: string;
  readonly wrong?: string;
}

export const NUMBER: FieldRules = {
  name: "number",
  autocomplete: "cc-number",
  inputmode: "numeric",
  maxlength: 23,
  pattern: "\\s*[0-9](?:[ \\-]?[0-9]){12,18}\\s*",
  required: true,
};
export const EXPIRY: FieldRules = {
  name: "expiry",
  autocomplete: "cc-exp",
  inputmode: "numeric",
  maxlength: 9,
  pattern: "\\s*(?:0?[1-9]|1[0-2])\\s*[\\/\\-.]?\\s*(?:20)?[0-9]{2}\\s*",
  required: true,
};
/** Four digits belong to a network that is not taken, which is said of the number. */
export const CVV: FieldRules = {
  name: "cvv",
  autocomplete: "cc-csc",
  inputmode: "numeric",
  maxlength: 4,
  pattern: "\\s*[0-9]{3,4}\\s*",
  required: true,
};
/** Of a saved card the network is known. */
export const STORED_CVV: FieldRules = { ...CVV, pattern: "\\s*[0-9]{3}\\s*" };
export const HOLDER: FieldRules = {
  name: "holder",
  autocomplete: "cc-name",
  maxlength: 60,
  required: true,
};
export const EMAIL: FieldRules = {
  name: "email",
  type: "email",
  autocomplete: "email",
  inputmode: "email",
  maxlength: 50,
  pattern: "\\s*[^@\\s]+@[^@\\s]+\\.[^@\\s]+\\s*",
  required: true,
};
export const PHONE: FieldRules = {
  name: "phone",
  type: "tel",
  autocomplete: "tel-national",
  maxlength: 24,
};

export function input(form: CardForm, rules: FieldRules): Html {
  const { name, pattern, inputmode, required = false } = rules;
  const { help, missing, wrong } = wordsOf(form, name);
  return textField({
    ...common(form, name, required),
    ...rules,
    ...(help === undefined ? {} : { hint: help }),
    ...(pattern === undefined || wrong === undefined ? {} : { title: wrong }),
    value: keptValue(form, name),
    isCode: inputmode !== undefined,
    data: {
      wrong: pattern === undefined ? undefined : wrong,
      missing: required ? missing : undefined,
    },
  });
}

export function select(
  form: CardForm,
  parts: {
    readonly name: "country" | "state" | "dial";
    readonly autocomplete: string;
    readonly options: readonly Choice[];
    readonly empty: string;
    readonly required?: boolean;
    /** Required wherever it is shown: the script shows it later, for another country. */
    readonly isWanted?: boolean;
  },
): Html {
  const { name, required = false, isWanted = required } = parts;
  return selectField({
    ...common(form, name, isWanted),
    ...parts,
    value: keptValue(form, name) || undefined,
    data: { missing: wordsOf(form, name).missing },
  });
}

function common(form: CardForm, name: FieldName, isWanted: boolean) {
  const { step, t } = form;
  const error = step.problems.find(({ field }) => field === name)?.message;
  return { label: wordsOf(form, name).label, error, ...(isWanted ? {} : { optional: t.optional }) };
}

function wordsOf({ t }: CardForm, name: FieldName): FieldWords {
  return t.fields[name];
}

function keptValue({ step }: CardForm, name: FieldName): string {
  return isKept(name) ? (step.values[name] ?? "") : "";
}
