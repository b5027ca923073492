/** A person's own page: name, password, second factors and sessions. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { listSessions } from "../../modules/people/console-session.ts";
import type { passkeysOf } from "../../modules/people/passkeys.ts";
import { hasSecondFactor, type SecondFactors } from "../../modules/people/second-factors.ts";
import { badge } from "../../parts/badge.ts";
import { textField } from "../../parts/field.ts";
import { button, buttonRow, linkButton, postButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { type Column, table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { browserWords } from "./browser-words.ts";

export interface MeView {
  readonly factors: SecondFactors;
  readonly passkeys: Awaited<ReturnType<typeof passkeysOf>>;
  readonly sessions: Awaited<ReturnType<typeof listSessions>>;
  readonly name: string;
  readonly refused?: RefusedForm;
}

export function mePage(visitor: Visitor, view: MeView): Answer {
  return consolePage(visitor, {
    title: "Your profile",
    problem: view.refused?.summary,
    content: [
      aboutPanel(visitor, view),
      factorNotice(view.factors),
      appPanel(view.factors),
      passkeysPanel(visitor, view),
      recoveryPanel(view.factors),
      sessionsPanel(visitor, view),
    ],
  });
}

function aboutPanel({ person, formToken }: Visitor, { name, refused }: MeView): Html {
  return panel({
    heading: "You",
    text: person.email,
    actions: linkButton({ text: "Change password", href: "/console/me/password" }),
    content: postForm({
      action: "/console/me/name",
      csrf: formToken,
      content: html`${textField({
        name: "name",
        label: "Name",
        value: name,
        required: true,
        maxlength: 100,
        autocomplete: "name",
        error: refused?.errorOf("name"),
      })}
${buttonRow(button({ text: "Save name" }))}`,
    }),
  });
}

/** What is missing, if anything. */
function factorNotice(factors: SecondFactors): HtmlValue {
  if (!hasSecondFactor(factors))
    return notice({
      tone: "warn",
      heading: "Your password alone opens this account",
      text: "Set up an authenticator app or add a passkey. Then a stolen password is not enough.",
    });
  if (factors.recoveryCodes > 0) return undefined;
  return notice({
    tone: "warn",
    heading: "You have no recovery codes",
    text: "Without them a lost phone locks you out. Make some and keep them safe.",
  });
}

function appPanel({ totp }: SecondFactors): Html {
  const href = "/console/me/authenticator";
  return panel({
    heading: "Authenticator app",
    text: "An app on your phone that shows a code of six digits.",
    actions: totp
      ? linkButton({ text: "Remove", about: "the app", href })
      : linkButton({ text: "Set up an app", href }),
    content: html`<p>${totp ? badge("good", "Set up") : badge("plain", "Not set up")}</p>`,
  });
}

function recoveryPanel(factors: SecondFactors): HtmlValue {
  if (!hasSecondFactor(factors)) return undefined;
  return panel({
    heading: "Recovery codes",
    text: "For the day when your phone or passkey is lost.",
    actions: linkButton({ text: "Make recovery codes", href: "/console/me/recovery-codes" }),
    content: html`<p>${factors.recoveryCodes} of 10 left</p>`,
  });
}

type Passkey = MeView["passkeys"][number];

function passkeysPanel({ timeZone }: Visitor, { passkeys }: MeView): Html {
  const columns: Column<Passkey>[] = [
    { label: "Name", cell: ({ name }) => name, phone: "lead" },
    { label: "Added", cell: ({ created_at }) => timeHtml(created_at, timeZone, "date") },
    {
      label: "Last used",
      cell: ({ last_used_at }) => (last_used_at ? timeHtml(last_used_at, timeZone) : "Never"),
    },
  ];
  return panel({
    heading: "Passkeys",
    actions: linkButton({ text: "Add a passkey", href: "/console/me/passkeys/new" }),
    isFlush: passkeys.length > 0,
    content: table({
      caption: "Passkeys",
      columns,
      rows: passkeys,
      href: ({ passkey_id }) => `/console/me/passkeys/${passkey_id}`,
      empty: html`<p class="soft">None yet. A passkey is your fingerprint, face or device PIN.</p>`,
    }),
  });
}

type ListedSession = MeView["sessions"][number];

function sessionsPanel({ timeZone, sessionId, formToken: csrf }: Visitor, view: MeView): Html {
  const isThis = (row: ListedSession) => row.session_id === sessionId;
  const columns: Column<ListedSession>[] = [
    {
      label: "Browser",
      phone: "lead",
      cell: (row) => html`<span title="${row.browser}">${browserWords(row.browser)}</span>`,
    },
    { label: "Address", cell: ({ address }) => address },
    { label: "Signed in", cell: ({ created_at }) => timeHtml(created_at, timeZone) },
    { label: "Last use", cell: ({ last_seen_at }) => timeHtml(last_seen_at, timeZone) },
    {
      label: "Action",
      isUnlabelled: true,
      phone: "side",
      align: "end",
      cell: (row) =>
        isThis(row)
          ? badge("good", "This one")
          : postButton({
              action: `/console/me/sessions/${row.session_id}/end`,
              csrf,
              text: "Sign out",
              about: `${browserWords(row.browser)}, ${row.address}`,
              isSmall: true,
            }),
    },
  ];
  const others = view.sessions.filter((row) => !isThis(row));
  return panel({
    heading: "Sessions",
    text: "Where you are signed in.",
    isFlush: true,
    ...(others.length === 0
      ? {}
      : {
          actions: postButton({
            action: "/console/me/sessions/end-others",
            csrf,
            text: "Sign out everywhere else",
          }),
        }),
    content: table({ caption: "Sessions", columns, rows: view.sessions, empty: html`` }),
  });
}
