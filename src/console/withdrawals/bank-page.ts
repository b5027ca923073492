/** The form of bank details, for a first bank or another one, and the question before it goes. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { type Platform, platformOf } from "../../modules/platforms/platform.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { type Choice, selectField, textareaField, textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, confirmForm, postForm } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { branchChoices, kindChoices } from "./bank-choices.ts";
import { factsOfBank, wordsOfField } from "./bank-words.ts";
import { bankPath, WITHDRAWALS } from "./paths.ts";
import type { BankView } from "./read-banks.ts";
import { ending } from "./words.ts";

const BACK = { name: "Withdrawals", href: WITHDRAWALS };
const LENGTH_MAX = 255;

export interface BankForm {
  readonly bank: BankView;
  /** What was typed. */
  readonly sent?: SentForm;
  readonly refused?: RefusedForm;
}

export function bankPage(visitor: Visitor, view: BankForm): Answer {
  const { bank, refused } = view;
  const { row, kind, currency } = bank;
  const platform = platformOf(visitor.account.countryCode);
  const place = kind.type === "local" ? `in ${platform.name}` : "abroad";
  return consolePage(visitor, {
    title: row === undefined ? `Add a bank ${place}` : `Change the bank ${place}`,
    section: "Withdrawals",
    back: BACK,
    problem: refused?.summary,
    content: panel({
      content: postForm({
        action: bankPath(kind.type),
        csrf: visitor.formToken,
        content: html`${oneTimeField()}
<p class="soft">Withdrawals in ${currency} go here, in the sandbox and live.
The owners of this account are told by e-mail.</p>
${kind.namesOn(platform).map((name) => fieldOf(name, view, platform))}
${buttonRow(
  button({ text: row === undefined ? "Add" : "Save", kind: "primary" }),
  cancelLink(WITHDRAWALS),
)}`,
      }),
    }),
  });
}

function fieldOf(name: string, { bank, sent, refused }: BankForm, platform: Platform): Html {
  const { kind, row } = bank;
  const { label, hint, isLong = false } = wordsOfField(name);
  const isNumber = name === kind.numberField;
  const isRequired = kind.fields[name]?.required === true || kind.type === "local";
  const value = sent?.[name] ?? (isNumber ? "" : String(row?.[name] ?? ""));
  const parts = {
    name,
    label,
    value,
    error: refused?.errorOf(name),
    ...(hint === undefined ? {} : { hint }),
    ...(isRequired ? {} : { optional: "optional" }),
    required: isRequired && !(isNumber && row !== undefined),
  };
  const choices = kind.type === "local" ? choicesOf(name, platform) : undefined;
  if (choices !== undefined) return selectField({ ...parts, options: choices, empty: "Choose" });
  if (isLong) return textareaField({ ...parts, rows: 2, maxlength: LENGTH_MAX });
  if (!isNumber) return textField({ ...parts, maxlength: LENGTH_MAX });
  const kept =
    row !== undefined && `Leave it empty to keep ${ending(row.number_last_four)} at the same bank.`;
  return textField({
    ...parts,
    hint: html`${hint} ${kept}`,
    autocomplete: "off",
    isCode: true,
    ...(kind.type === "local" ? { inputmode: "numeric" as const } : {}),
  });
}

function choicesOf(name: string, platform: Platform): readonly Choice[] | undefined {
  if (name === "bank_name")
    return platform.banks.map((bank) => ({ value: bank.name, text: bank.displayName }));
  if (name === "bank_account_type") return kindChoices();
  return name === "bank_branch" ? branchChoices(platform) : undefined;
}

export function removeBankPage(visitor: Visitor, bank: BankView): Answer {
  const { kind, currency } = bank;
  return consolePage(visitor, {
    title: "Remove these bank details?",
    section: "Withdrawals",
    back: BACK,
    content: [
      panel({ content: definitionList(factsOfBank(bank)) }),
      panel({
        content: confirmForm({
          action: `${bankPath(kind.type)}/remove`,
          csrf: visitor.formToken,
          text: html`<p>Until you add others, nothing can be withdrawn in ${currency}. Withdrawals
that you have requested already still go there. The owners of this account are told by e-mail.</p>`,
          fields: oneTimeField(),
          button: "Remove",
          isDangerous: true,
          cancelHref: WITHDRAWALS,
        }),
      }),
    ],
  });
}
