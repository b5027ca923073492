/** One API key: what it may do, when it was used, and the forms that change or end it. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { KeyRow } from "../../modules/auth/api-key.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { dateField, selectField, textField } from "../../parts/field.ts";
import { button, buttonRow, confirmForm, linkButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { ENVIRONMENT_NAMES } from "../environment-words.ts";
import { lastDay } from "../last-day.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { OVERLAPS } from "./key-fields.ts";
import { expiryHint, rangesField } from "./key-form.ts";
import {
  keyBadge,
  keyName,
  keyStart,
  mayChangeKey,
  mayRevokeKey,
  rangesHtml,
} from "./key-words.ts";
import { inDevelopers, KEYS, REQUESTS } from "./tabs.ts";

/** `sent`: what was typed into a change that was refused. */
export function keyPage(
  visitor: Visitor,
  key: KeyRow,
  { sent, refused }: { readonly sent?: SentForm; readonly refused?: RefusedForm } = {},
): Answer {
  const mayChange = mayChangeKey(visitor, key) && key.rotated_to === null;
  const mayRevoke = mayRevokeKey(visitor, key);
  return consolePage(visitor, {
    title: keyName(key),
    ...inDevelopers(visitor, "Keys"),
    back: { name: "Keys", href: KEYS },
    beside: [keyBadge(key), mayRevoke && revokeButton(key)],
    problem: refused?.summary,
    content: [
      panel({ heading: "Key", content: keyFacts(visitor, key) }),
      key.revoked_at === null &&
        !mayChange &&
        key.rotated_to === null &&
        notice({
          tone: "plain",
          text: "This key may do more than your role, so you cannot change it.",
        }),
      mayChange && changePanel(visitor, key, sent, refused),
      mayChange && rotatePanel(key),
      mayRevoke &&
        dialog({ id: "revoke", heading: "Revoke this key?", content: revokeForm(visitor, key) }),
    ],
  });
}

function keyFacts({ timeZone }: Visitor, key: KeyRow): Html {
  const { expires_at, last_used_at, revoked_at, rotated_to, created_at, kid } = key;
  const at = (moment: Date | null) => moment !== null && timeHtml(moment, timeZone, "seconds");
  const scopes = key.scopes.map((scope) => html`<code>${scope}</code><br>`);
  const facts: { term: string; value: HtmlValue }[] = [
    { term: "Key", value: html`<code>${keyStart(key)}</code>` },
    { term: "Environment", value: ENVIRONMENT_NAMES[key.environment] },
    { term: "Scopes", value: scopes },
    { term: "Addresses", value: rangesHtml(key) },
    { term: "Made", value: at(created_at) },
    { term: "Expires", value: at(expires_at) || "Never" },
    {
      term: "Last used",
      value: html`${at(last_used_at) || "Never"}
<br><a href="${REQUESTS}?credential=${kid}">Its requests</a>`,
    },
  ];
  if (revoked_at !== null) facts.push({ term: "Revoked", value: at(revoked_at) });
  if (rotated_to !== null)
    facts.push({
      term: "Replaced by",
      value: html`<a href="${KEYS}/${rotated_to}"><code>${rotated_to}</code></a>`,
    });
  return definitionList(facts);
}

function changePanel(
  visitor: Visitor,
  key: KeyRow,
  sent: SentForm | undefined,
  refused: RefusedForm | undefined,
): Html {
  const typed = sent ?? {
    name: key.name ?? "",
    allowed_cidrs: key.allowed_cidrs.join("\n"),
    expires_at: lastDay(key.expires_at, visitor.timeZone),
  };
  return panel({
    heading: "Change",
    text: "What a key may do cannot be changed. Make another key for that.",
    content: postForm({
      action: `${KEYS}/${key.kid}`,
      csrf: visitor.formToken,
      content: html`${textField({
        name: "name",
        label: "Name",
        value: typed.name ?? "",
        maxlength: 64,
        autocomplete: "off",
        error: refused?.errorOf("name"),
      })}
${rangesField(typed.allowed_cidrs ?? "", refused)}
${dateField({
  name: "expires_at",
  label: "Expires",
  optional: "optional",
  value: typed.expires_at ?? "",
  hint: expiryHint(visitor),
  error: refused?.errorOf("expires_at"),
})}
${buttonRow(button({ text: "Save" }))}`,
    }),
  });
}

function rotatePanel({ kid }: KeyRow): Html {
  return panel({
    heading: "Replace it",
    text: "A new key with the same settings. This one keeps working for as long as you choose.",
    content: buttonRow(linkButton({ text: "Replace this key", href: `${KEYS}/${kid}/rotate` })),
  });
}

function revokeButton({ kid }: KeyRow): Html {
  const href = `${KEYS}/${kid}/revoke`;
  return dialogButton({ dialog: "revoke", href, text: "Revoke", kind: "danger" });
}

function revokeForm(visitor: Visitor, key: KeyRow): Html {
  return confirmForm({
    action: `${KEYS}/${key.kid}/revoke`,
    csrf: visitor.formToken,
    text: html`<p>Programs that use <strong>${keyName(key)}</strong> are refused from that
moment on. This cannot be undone.</p>`,
    button: "Revoke",
    isDangerous: true,
    cancelHref: `${KEYS}/${key.kid}`,
  });
}

export function revokePage(visitor: Visitor, key: KeyRow): Answer {
  return consolePage(visitor, {
    title: "Revoke this key?",
    ...inDevelopers(visitor, "Keys"),
    back: { name: keyName(key), href: `${KEYS}/${key.kid}` },
    content: panel({ content: revokeForm(visitor, key) }),
  });
}

export function rotatePage(visitor: Visitor, key: KeyRow, refused?: RefusedForm): Answer {
  return consolePage(visitor, {
    title: "Replace this key?",
    ...inDevelopers(visitor, "Keys"),
    back: { name: keyName(key), href: `${KEYS}/${key.kid}` },
    problem: refused?.summary,
    content: panel({
      content: confirmForm({
        action: `${KEYS}/${key.kid}/rotate`,
        csrf: visitor.formToken,
        text: html`<p>The new key is shown once. Put it into your programs before the old one
ends.</p>`,
        fields: html`${oneTimeField()}${selectField({
          name: "overlap_seconds",
          label: "The old key ends",
          options: OVERLAPS,
          value: "86400",
          error: refused?.errorOf("overlap_seconds"),
        })}`,
        button: "Make the new key",
        cancelHref: `${KEYS}/${key.kid}`,
      }),
    }),
  });
}
