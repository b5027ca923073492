/** The form by which a main merchant pays somebody, with a bank account or without. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import { withdrawalTermsOf } from "../../modules/platforms/limits.ts";
import { type Platform, platformOf } from "../../modules/platforms/platform.ts";
import type { WithdrawalType } from "../../modules/withdrawals/withdrawal.ts";
import { type Choice, selectField, type TextFieldParts, textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { moneyText } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { branchChoices, kindChoices } from "./bank-choices.ts";
import { PAY, WITHDRAWALS } from "./paths.ts";
import { documentName } from "./words.ts";

type PayeeType = Exclude<WithdrawalType, "normal">;

export interface PayForm {
  readonly type: PayeeType;
  readonly balances: readonly Balance[];
  readonly sent?: SentForm;
  readonly refused?: RefusedForm;
}

export function payPage(visitor: Visitor, view: PayForm): Answer {
  const { type, refused } = view;
  return consolePage(visitor, {
    title: "Pay somebody",
    section: "Withdrawals",
    back: { name: "Withdrawals", href: WITHDRAWALS },
    tabs: {
      label: "How they are paid",
      items: [
        { name: "To a bank account", href: PAY, isCurrent: type === "sub_banked" },
        { name: "Without a bank", href: `${PAY}?to=person`, isCurrent: type === "sub_unbanked" },
      ],
    },
    problem: refused?.summary,
    content: panel({ content: form(visitor, view) }),
  });
}

function form(visitor: Visitor, view: PayForm): Html {
  const platform = platformOf(visitor.account.countryCode);
  const isBanked = view.type === "sub_banked";
  return postForm({
    action: PAY,
    csrf: visitor.formToken,
    hidden: { withdrawal_type: view.type },
    content: html`${oneTimeField()}
${moneyFields(view, platform)}
${isBanked ? bankFields(view, platform) : written(view, { name: "recipient_name", label: "Name" })}
${written(view, { name: "email", label: "E-mail", type: "email" })}
${written(view, {
  name: "phone",
  label: "Phone",
  type: "tel",
  hint: "With the country code and without spaces, e.g. +18685550123.",
})}
${chosen(
  view,
  "id_type",
  "Document",
  platform.ids.map(({ type }) => ({ value: type, text: documentName(type) })),
)}
${written(view, { name: "id_number", label: "Document number", isCode: true, autocomplete: "off" })}
${textField({
  ...about(view, "data", "Note"),
  optional: "optional",
  hint: "Shown with the withdrawal and sent with its events.",
  maxlength: 4096,
})}
<p class="soft">Amount and fee are held at once. You can cancel until it is sent.</p>
${buttonRow(button({ text: "Pay", kind: "primary" }), cancelLink(WITHDRAWALS))}`,
  });
}

function moneyFields(view: PayForm, { currencies }: Platform): Html {
  const options = currencies.map((currency) => {
    const known = view.balances.find(({ balance }) => balance.currency === currency);
    const available = known?.available ?? money(currency, 0n);
    return { value: currency, text: `${currency}, ${moneyText(available)} available` };
  });
  const fees = currencies.map((currency) => moneyText(withdrawalTermsOf(currency).fee));
  return html`${written(view, {
    name: "amount",
    label: "Amount",
    inputmode: "decimal",
    isCode: true,
    autocomplete: "off",
    placeholder: "100.00",
  })}
${chosen(view, "currency", "Currency", options)}
<p class="soft">Each payment costs ${fees.join(" or ")} on top of the amount.</p>`;
}

function bankFields(view: PayForm, platform: Platform): Html {
  const banks = platform.banks.map(({ name, displayName }) => ({ value: name, text: displayName }));
  return html`${chosen(view, "bank_name", "Bank", banks, "Choose")}
${written(view, {
  name: "bank_account",
  label: "Account number",
  inputmode: "numeric",
  isCode: true,
  autocomplete: "off",
  hint: "Digits only, leading zeros included.",
})}
${written(view, { name: "name_in_bank", label: "Name at the bank" })}
${
  platform.asksForBranch && [
    chosen(view, "bank_account_type", "Kind of account", kindChoices(), "Choose"),
    chosen(view, "bank_branch", "Branch", branchChoices(platform), "Choose"),
  ]
}`;
}

function about({ sent = {}, refused }: PayForm, name: string, label: string) {
  return { name, label, value: sent[name] ?? "", error: refused?.errorOf(name) };
}

function written(view: PayForm, parts: TextFieldParts): Html {
  return textField({ ...parts, ...about(view, parts.name, parts.label), required: true });
}

function chosen(
  view: PayForm,
  name: string,
  label: string,
  options: readonly Choice[],
  empty?: string,
): Html {
  const parts = { ...about(view, name, label), options, required: true };
  return selectField(empty === undefined ? parts : { ...parts, empty });
}
