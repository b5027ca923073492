/** The forms of a payment link: making one, and changing what may be changed. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import type { TermsNow } from "../../modules/accounts/own-terms.ts";
import type { LinkRow } from "../../modules/payment-links/payment-link.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import {
  dateField,
  radioGroup,
  selectField,
  type TextFieldParts,
  textareaField,
  textField,
} from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { LANGUAGE_CHOICES } from "../language-names.ts";
import { lastDay } from "../last-day.ts";
import { oneTimeField } from "../one-time-form.ts";
import { atRecord } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { LINK_LABELS } from "./link-labels.ts";
import { feeExample, LINKS, linkHref, priceWords } from "./link-words.ts";

/** What was typed, and what is wrong with it. */
interface Typed {
  readonly sent: SentForm;
  readonly refused: RefusedForm | undefined;
}

const FEE_PAYERS = [
  {
    value: "customer_pay",
    text: "The customer",
    hint: "The fee is added to the amount, and you receive all of it.",
  },
  { value: "merchant_absorb", text: "You", hint: "The customer pays exactly the amount." },
  { value: "split", text: "Both", hint: "Each pays half of the fee." },
];

/** `terms`: by which the fee is told. */
export function newLinkPage(
  visitor: Visitor,
  terms: TermsNow,
  { sent = {}, refused }: Partial<Typed> = {},
): Answer {
  const typed = { sent, refused };
  return consolePage(visitor, {
    title: "Make a link",
    section: "Links",
    back: { name: "Links", href: LINKS },
    problem: refused?.summary,
    content: panel({
      content: postForm({
        action: `${LINKS}/new`,
        csrf: visitor.formToken,
        content: html`${oneTimeField()}
${titleFields(typed)}
${priceFields(visitor, typed, terms)}
${moreFields(typed)}
${buttonRow(button({ text: "Make the link", kind: "primary" }), cancelLink(LINKS))}`,
      }),
    }),
  });
}

export function changeLinkPage(
  visitor: Visitor,
  link: LinkRow,
  { sent, refused }: Partial<Typed> = {},
): Answer {
  const typed = { sent: sent ?? typedOf(link, visitor.timeZone), refused };
  const href = linkHref(link);
  return consolePage(atRecord(visitor, link), {
    title: "Change the link",
    section: "Links",
    back: { name: link.title, href },
    problem: refused?.summary,
    content: panel({
      text: `It costs ${priceWords(link)}. That stays: the link may already be printed or sent.`,
      content: postForm({
        action: `${href}/change`,
        csrf: visitor.formToken,
        content: html`${oneTimeField()}
${titleFields(typed)}
${moreFields(typed)}
${buttonRow(button({ text: "Save", kind: "primary" }), cancelLink(href))}`,
      }),
    }),
  });
}

function typedOf(link: LinkRow, timeZone: string): SentForm {
  return {
    title: link.title,
    description: link.description ?? "",
    max_payments: link.max_payments === null ? "" : String(link.max_payments),
    expires_at: lastDay(link.expires_at, timeZone),
    reference_label: link.reference_label ?? "",
    success_message: link.success_message ?? "",
    success_url: link.success_url ?? "",
    language: link.language ?? "",
    label: link.label ?? "",
  };
}

const of = ({ sent, refused }: Typed, name: keyof typeof LINK_LABELS) => ({
  name,
  label: LINK_LABELS[name],
  value: sent[name] ?? "",
  error: refused?.errorOf(name),
});

function input(
  typed: Typed,
  name: keyof typeof LINK_LABELS,
  parts: Omit<TextFieldParts, "name" | "label">,
): Html {
  return textField({ autocomplete: "off", ...of(typed, name), ...parts });
}

function titleFields(typed: Typed): Html {
  return html`${input(typed, "title", {
    maxlength: 80,
    placeholder: "Yoga class",
    required: true,
  })}
${textareaField({
  ...of(typed, "description"),
  optional: "optional",
  rows: 2,
  maxlength: 255,
})}`;
}

function priceFields({ account, environment }: Visitor, typed: Typed, terms: TermsNow): Html {
  const platform = platformOf(account.countryCode);
  const { currencies } = platform;
  const amount = { inputmode: "decimal", isCode: true } as const;
  return html`${selectField({
    ...of(typed, "currency"),
    options: currencies.map((value) => ({ value, text: value })),
  })}
${input(typed, "amount", {
  ...amount,
  placeholder: "120.00",
  hint: "Or let the customer choose, between the two below.",
})}
<div class="pair">${input(typed, "amount_min", { ...amount, optional: "optional" })}
${input(typed, "amount_max", { ...amount, optional: "optional" })}</div>
${radioGroup({
  ...of(typed, "fee_structure"),
  value: typed.sent.fee_structure ?? "customer_pay",
  options: FEE_PAYERS,
  // Beside the form, so that nothing typed is lost.
  hint: html`${feeExample(platform, terms)}
<a href="/docs/pricing" target="_blank" rel="noreferrer">What it costs</a>`,
})}
${environment === "sandbox" && NO_MONEY}`;
}

const NO_MONEY = html`<p class="soft">A link of the sandbox takes no money from any card.</p>`;

/** Folded away, unless one of them has something in it. */
function moreFields(typed: Typed): Html {
  const names = ["max_payments", "expires_at", "reference_label", "success_message"];
  const all = [...names, "success_url", "language", "label"];
  const isOpen = all.some((name) => typed.sent[name] || typed.refused?.errorOf(name));
  return html`<details class="more"${isOpen && html` open`}><summary>More options</summary>
<div class="stack">${input(typed, "max_payments", {
    optional: "optional",
    inputmode: "numeric",
    isCode: true,
    hint: "Empty: any number of times.",
  })}
${dateField({
  ...of(typed, "expires_at"),
  optional: "optional",
  hint: "A payment page that is open when it ends may still be finished.",
})}
${input(typed, "reference_label", {
  optional: "optional",
  maxlength: 40,
  placeholder: "Your name",
  hint: "The label of a field on the page. You see with the payment what was typed.",
})}
${textareaField({
  ...of(typed, "success_message"),
  optional: "optional",
  rows: 2,
  maxlength: 500,
})}
${input(typed, "success_url", {
  optional: "optional",
  type: "url",
  placeholder: "https://",
  hint: "An address of your own site, in place of the message.",
})}
${selectField({
  ...of(typed, "language"),
  options: LANGUAGE_CHOICES,
  empty: "That of the customer's browser",
})}
${input(typed, "label", {
  optional: "optional",
  maxlength: 60,
  hint: "Your own, to group links and their totals by. Customers do not see it.",
})}</div></details>`;
}
