/** The gallery's pages of single parts: every field, message and chart in every state. */

import { type Html, html } from "../../kit/html.ts";
import { badge } from "../../parts/badge.ts";
import { barChart } from "../../parts/bar-chart.ts";
import { compactText } from "../../parts/chart-scale.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { emptyState } from "../../parts/empty-state.ts";
import {
  checkboxField,
  dateField,
  fileField,
  moneyField,
  passwordField,
  radioGroup,
  selectField,
  textareaField,
  textField,
} from "../../parts/field.ts";
import {
  button,
  buttonRow,
  confirmForm,
  linkButton,
  postButton,
  postForm,
  printButton,
} from "../../parts/form.ts";
import { lineChart } from "../../parts/line-chart.ts";
import { flash, notice } from "../../parts/notice.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { rankedBars } from "../../parts/ranked-bars.ts";
import { showTtd } from "./data-sections.ts";
import { REASONS, rateOf, STATUSES, sampleDays, volumeOf } from "./samples.ts";

const ROLES = ["Owner", "Finance", "Viewer"].map((text) => ({ value: text.toLowerCase(), text }));

const SIGN_IN = radioGroup({
  name: "sign_in",
  label: "Signing in to the interface",
  value: "password",
  options: [
    { value: "password", text: "Password" },
    { value: "code", text: "Password and code", hint: "Every sign-in also needs a code." },
    { value: "off", text: "Off" },
  ],
});

export function forms(csrf: string): Html {
  return panelGrid(
    panel({ heading: "Every field", content: filledForm(csrf) }),
    panel({ heading: "Refused", content: refusedForm(csrf) }),
  );
}

function filledForm(csrf: string): Html {
  return postForm({
    action: "/dev/parts",
    csrf,
    content: [
      textField({
        name: "email",
        label: "E-mail",
        type: "email",
        autocomplete: "email",
        value: "maya@example.com",
        required: true,
      }),
      passwordField({
        name: "password",
        label: "Password",
        autocomplete: "current-password",
        hint: "At least 8 characters.",
        required: true,
      }),
      textField({
        name: "code",
        label: "Code",
        inputmode: "numeric",
        autocomplete: "one-time-code",
        maxlength: 6,
        isCode: true,
      }),
      moneyField({ name: "amount", label: "Amount", currency: "TTD", value: "1,250.00" }),
      selectField({
        name: "role",
        label: "Role",
        options: ROLES,
        value: "finance",
        empty: "Choose a role",
      }),
      dateField({ name: "from", label: "From", value: "2026-11-01" }),
      textareaField({
        name: "note",
        label: "Note",
        optional: "optional",
        value: "Ordered by phone.",
      }),
      fileField({
        name: "file",
        label: "Payouts as CSV",
        accept: ".csv",
        hint: "At most 500 lines.",
      }),
      SIGN_IN,
      checkboxField({ name: "statement", label: "Send me the monthly statement", isChecked: true }),
      buttonRow(
        button({ text: "Save", kind: "primary" }),
        button({ text: "Save and add another" }),
      ),
    ],
  });
}

function refusedForm(csrf: string): Html {
  return postForm({
    action: "/dev/parts",
    csrf,
    content: [
      textField({
        name: "email",
        id: "email-2",
        label: "E-mail",
        value: "maya@",
        error: "Enter a whole e-mail address.",
      }),
      moneyField({
        name: "amount",
        id: "amount-2",
        label: "Amount",
        currency: "TTD",
        value: "9,000.00",
        error: "Only TTD\u00a0105.20 is left of this payment.",
        hint: "Up to TTD\u00a0105.20",
      }),
      selectField({
        name: "role",
        id: "role-2",
        label: "Role",
        options: ROLES,
        empty: "Choose a role",
        error: "Choose a role.",
      }),
      radioGroup({
        name: "speed",
        label: "Speed",
        options: ROLES.slice(0, 2),
        error: "Choose one.",
      }),
      checkboxField({
        name: "sure",
        label: "I have checked the account number",
        error: "Please check it.",
      }),
      textField({ name: "account", label: "Account", value: "1234567890", readonly: true }),
      buttonRow(button({ text: "Withdraw", kind: "primary" })),
    ],
  });
}

export function messages(csrf: string): Html {
  const action = "/dev/parts";
  const tones = ["plain", "good", "warn", "bad", "progress"] as const;
  const notices = tones.map((tone) =>
    notice({ tone, heading: `A ${tone} notice`, text: "With one sentence that says more." }),
  );
  const badges = Object.values(STATUSES).map(({ tone, text }) => badge(tone, text));
  const revoke = confirmForm({
    action,
    csrf,
    text: "Programs that use this key stop working at once. This cannot be undone.",
    button: "Revoke key",
    isDangerous: true,
    cancelHref: "/dev/parts/messages",
  });
  const buttons = html`${buttonRow(
    button({ text: "Primary", kind: "primary" }),
    button({ text: "Secondary" }),
    button({ text: "Danger", kind: "danger" }),
    button({ text: "Quiet", kind: "quiet" }),
    linkButton({ href: "/dev/parts", text: "A link" }),
    postButton({ action, csrf, text: "Send again", isSmall: true, about: "event 12" }),
    printButton(),
  )}
${buttonRow(
  dialogButton({ dialog: "revoke", href: "/dev/parts/revoke", text: "Revoke key", kind: "danger" }),
)}
${dialog({ id: "revoke", heading: "Revoke this key?", content: revoke })}`;
  const nothing = emptyState({
    heading: "No withdrawals yet",
    text: "Money that you move to your bank is listed here.",
    action: linkButton({ href: "/dev/parts", text: "Withdraw", kind: "primary" }),
  });
  const text = "TTD\u00a025.00 goes back to the card in 5 to 10 days.";
  return html`${flash({ tone: "good", heading: "Refund requested", text })}
${panelGrid(
  html`<div class="stack">${notices}</div>`,
  panel({ heading: "Buttons", content: buttons }),
  panel({ heading: "States", content: html`<div class="buttons">${badges}</div>` }),
  panel({ heading: "Withdrawals", content: nothing }),
)}`;
}

export function charts(): Html {
  const heads = { label: "Day", value: "Volume" };
  const formatTick = (minor: number) => compactText(minor / 100);
  const bars = (id: string, title: string, count: number, measure = volumeOf) =>
    panel({
      content: barChart({
        id,
        title,
        points: sampleDays(count, measure),
        heads,
        format: showTtd,
        formatTick,
      }),
    });
  const percent = (rate: number) => `${Math.round(rate * 1000) / 10}%`;
  const line = (id: string, title: string, count: number, measure: typeof rateOf = rateOf) =>
    panel({
      content: lineChart({
        id,
        title,
        points: sampleDays(count, measure),
        heads: { label: "Day", value: "Success rate" },
        format: percent,
        formatTick: percent,
        upTo: 1,
      }),
    });
  const ranked = (id: string, points: typeof REASONS) =>
    panel({
      content: rankedBars({
        id,
        title: "Reasons of declines",
        note: "30 days",
        points,
        heads: { label: "Reason", value: "Payments" },
        format: String,
      }),
    });
  return panelGrid(
    bars("bars-90", "Volume, 90 days", 90),
    line("line-90", "Success rate, 90 days", 90),
    bars("bars-7", "Volume, 7 days", 7),
    line("line-7", "Success rate, 7 days", 7),
    ranked("reasons", REASONS),
    ranked("no-reasons", []),
    bars("bars-1", "Volume, 1 day", 1),
    line("line-1", "Success rate, 1 day", 1),
    bars("bars-zero", "Volume, nothing sold", 30, () => 0),
    line("line-none", "Success rate, nothing tried", 30, () => undefined),
    bars("bars-0", "Volume, no days", 0),
  );
}
