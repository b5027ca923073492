/** The form of a new API key, and the one page that shows the key. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { areaOf, includesScope, SCOPE_AREAS, SCOPES, type ScopeArea } from "../../kit/scopes.ts";
import type { CreatedKey } from "../../modules/auth/create-key.ts";
import { copyable } from "../../parts/copy.ts";
import { dateField, textareaField, textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, linkButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { ENVIRONMENT_WORDS } from "../environment-words.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { checkboxGroup } from "./checkbox-group.ts";
import { AREA_WORDS, KEY_PRESETS, keyName, SCOPE_WORDS } from "./key-words.ts";
import { inDevelopers, KEYS } from "./tabs.ts";

export function newKeyPage(visitor: Visitor, sent: SentForm = {}, refused?: RefusedForm): Answer {
  return consolePage(visitor, {
    title: "Make a key",
    ...inDevelopers(visitor, "Keys"),
    back: { name: "Keys", href: KEYS },
    problem: refused?.summary,
    content: panel({
      heading: `A key for ${ENVIRONMENT_WORDS[visitor.environment]}`,
      text: "It is shown once. The owners of the account are told by e-mail.",
      // Above the form: what was typed into it would be lost.
      content: html`${presetLinks()}
${postForm({
  action: `${KEYS}/new`,
  csrf: visitor.formToken,
  content: html`${oneTimeField()}
${textField({
  name: "name",
  label: "Name",
  optional: "optional",
  value: sent.name ?? "",
  maxlength: 64,
  autocomplete: "off",
  hint: "To recognise it by, such as the program that uses it.",
  error: refused?.errorOf("name"),
})}
${scopeGroups(visitor, sent, refused)}
${rangesField(sent.allowed_cidrs ?? "", refused)}
${dateField({
  name: "expires_at",
  label: "Expires",
  optional: "optional",
  value: sent.expires_at ?? "",
  hint: expiryHint(visitor),
  error: refused?.errorOf("expires_at"),
})}
${buttonRow(button({ text: "Make the key", kind: "primary" }), cancelLink(KEYS))}`,
})}`,
    }),
  });
}

function presetLinks(): Html {
  return html`<div class="buttons">${Object.entries(KEY_PRESETS).map(([word, { text }]) =>
    linkButton({ text, href: `${KEYS}/new?for=${word}`, isSmall: true }),
  )}</div>`;
}

/** The boxes of what keys are usually for are ticked; others can be added. */
export function presetOf(url: string): SentForm {
  const word = new URL(url).searchParams.get("for") ?? "";
  const scopes = Object.hasOwn(KEY_PRESETS, word) ? KEY_PRESETS[word]?.scopes : undefined;
  return Object.fromEntries((scopes ?? []).map((scope) => [scope, "yes"]));
}

export function rangesField(value: string, refused: RefusedForm | undefined): Html {
  return textareaField({
    name: "allowed_cidrs",
    label: "Allowed addresses",
    optional: "optional",
    value,
    rows: 3,
    hint: "One address or range a line, e.g. 203.0.113.0/24. Empty means from anywhere.",
    error: refused?.errorOf("allowed_cidrs"),
  });
}

export function expiryHint({ caller }: Visitor): string {
  return caller.scopes.has("svc-user-all")
    ? "The last day on which it works. Empty means until it is revoked."
    : "The last day on which it works, within 30 days. Empty means 30 days.";
}

function scopeGroups({ caller }: Visitor, sent: SentForm, refused: RefusedForm | undefined): Html {
  const offered = SCOPES.filter((scope) => includesScope(caller.scopes, scope));
  const error = refused?.errorOf("scopes");
  const groupOf = (area: ScopeArea, index: number) =>
    checkboxGroup({
      id: index === 0 ? "scopes" : `scopes-${area}`,
      label: AREA_WORDS[area],
      error: index === 0 ? error : undefined,
      boxes: offered
        .filter((scope) => areaOf(scope) === area)
        .map((scope) => ({
          name: scope,
          text: scope,
          hint: SCOPE_WORDS[scope],
          isChecked: sent[scope] !== undefined,
        })),
    });
  const areas = SCOPE_AREAS.filter((area) => offered.some((scope) => areaOf(scope) === area));
  return html`<h3>What it may do</h3>
<div class="panels">${areas.map(groupOf)}</div>`;
}

/** The answer to the form: the key is in this page and nowhere else. */
export function keyMadePage(visitor: Visitor, { row, key }: CreatedKey): Answer {
  return consolePage(visitor, {
    title: "Your new key",
    ...inDevelopers(visitor, "Keys"),
    content: [
      notice({
        tone: "warn",
        heading: "Copy it now",
        text: "It is not shown again, and we cannot look it up. Keep it as safe as a password.",
      }),
      panel({
        heading: keyName(row),
        content: [
          html`<p>${copyable(key, "the key")}</p>`,
          html`<p class="soft">Your program sends it in the header <code>X-SVC-Key</code>.</p>`,
          buttonRow(linkButton({ text: "I have copied it", href: `${KEYS}/${row.kid}` })),
        ],
      }),
    ],
  });
}
