/** The page about the business: what customers see of it, and its logo. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { BusinessFields, readBusiness } from "../../modules/business/business.ts";
import { TIME_ZONES } from "../../modules/business/business-fields.ts";
import {
  colourField,
  fileField,
  selectField,
  type TextFieldParts,
  textField,
} from "../../parts/field.ts";
import { button, postButton, postForm } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { LANGUAGE_CHOICES } from "../language-names.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { inSettings } from "./tabs.ts";

export const BUSINESS = "/console/settings/business";
/** That of the Pay button where none was chosen. */
const PRESET_COLOUR = "#0b5c66";
export const LOGO = `${BUSINESS}/logo`;

export const BUSINESS_LABELS: Readonly<Record<keyof BusinessFields, string>> = {
  business_name: "Business name",
  website: "Website",
  support_email: "Support e-mail",
  support_phone: "Support phone",
  accent_colour: "Colour",
  language: "Language",
  time_zone: "Time zone",
};

export interface BusinessPageView {
  readonly business: Awaited<ReturnType<typeof readBusiness>>;
  /** What was typed, after a refusal. */
  readonly sent?: Readonly<Record<string, string>>;
  readonly refused?: RefusedForm;
}

export function businessPage(visitor: Visitor, view: BusinessPageView): Answer {
  return consolePage(visitor, {
    title: "Business",
    ...inSettings(visitor, "Business"),
    problem: view.refused?.summary,
    content: [profilePanel(visitor, view), logoPanel(visitor, view)],
  });
}

/** Beside English, which it is when none is chosen. */
const OTHER_LANGUAGES = LANGUAGE_CHOICES.filter(({ value }) => value !== "en");
const TIME_ZONE_CHOICES = [...TIME_ZONES].map((value) => ({
  value,
  text: value.replaceAll("_", " "),
}));

function profilePanel(visitor: Visitor, { business, sent, refused }: BusinessPageView) {
  const of = (name: keyof BusinessFields) => ({
    name,
    label: BUSINESS_LABELS[name],
    value: sent?.[name] ?? business[name] ?? "",
    error: refused?.errorOf(name),
  });
  const input = (name: keyof BusinessFields, parts: Omit<TextFieldParts, "name" | "label">) =>
    textField({ ...of(name), ...parts, autocomplete: "off" });
  return panel({
    heading: "What customers see",
    text: "On the payment page, receipts and links. What is empty is not shown.",
    content: postForm({
      action: BUSINESS,
      csrf: visitor.formToken,
      content: html`${input("business_name", {
        maxlength: 60,
        hint: "Without one customers read the names of the account's holder.",
      })}
${input("website", { type: "url", placeholder: "https://" })}
${input("support_email", { type: "email" })}
${input("support_phone", {
  type: "tel",
  hint: "Of another country with its code, such as +44 20 7946 0000.",
})}
${colourField({
  ...of("accent_colour"),
  autocomplete: "off",
  maxlength: 7,
  placeholder: PRESET_COLOUR,
  preset: PRESET_COLOUR,
  pick: "Choose the colour",
  hint: "Of the Pay button. Its text is black or white, whichever is read better.",
})}
${selectField({
  ...of("language"),
  options: OTHER_LANGUAGES,
  empty: "English",
  hint: "For customers whose browser asks for none of our four languages.",
})}
${selectField({
  ...of("time_zone"),
  options: TIME_ZONE_CHOICES,
  empty: "That of your country",
})}
${button({ text: "Save", kind: "primary" })}`,
    }),
  });
}

function logoPanel(visitor: Visitor, { business, refused }: BusinessPageView) {
  const { logo_url } = business;
  const shown =
    logo_url !== null &&
    html`<p><img class="logo" src="${new URL(logo_url).pathname}" alt="Your logo"></p>
${postButton({ action: `${LOGO}/remove`, csrf: visitor.formToken, text: "Remove the logo" })}`;
  return panel({
    heading: "Logo",
    text: "It keeps its proportions, inside 480 by 160 pixels.",
    content: [
      shown,
      postForm({
        action: LOGO,
        csrf: visitor.formToken,
        takesFiles: true,
        content: html`${fileField({
          name: "logo",
          label: logo_url === null ? "Picture" : "Another picture",
          accept: ".bmp,.gif,.jpeg,.jpg,.png,.svg",
          error: refused?.errorOf("logo"),
          required: true,
          hint: "BMP, GIF, JPEG, PNG or SVG, at most 5 MB.",
        })}
${button({ text: logo_url === null ? "Upload" : "Replace" })}`,
      }),
    ],
  });
}
