/**
 * The pages of the mailbox: a list, one mail, and its HTML part as a document of its own in a
 * sandboxed frame. The document has no script and loads nothing; its links open in a new window.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { consoleStyle } from "../../parts/console-assets.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { brandMark } from "../../parts/icon.ts";
import { HTML_TYPE, pageAnswer, renderDocument } from "../../parts/page.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import type { MailboxMail } from "./mailbox.ts";

const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";
const DOCUMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  `frame-ancestors 'self'; sandbox ${SANDBOX}`;
const ADDRESS = /https?:\/\/[^\s<>"]+/g;

export function mailboxPage(mails: readonly MailboxMail[]): Answer {
  const list = table({
    caption: "Mails, newest first",
    columns: [
      { label: "Subject", cell: ({ subject }) => subject, phone: "lead" },
      { label: "To", cell: ({ to }) => to, phone: "note" },
      { label: "Sent (UTC)", cell: ({ at }) => sentAt(at), phone: "note" },
    ],
    rows: mails,
    href: ({ id }) => `/dev/mail/${id}`,
    empty: emptyState({ heading: "Nothing was sent yet." }),
  });
  const note = "Mail of the development stage. None of it left this machine.";
  return pageOf("Mailbox", html`<p class="soft">${note}</p>\n${list}`);
}

export function mailPage({ id, subject, to, at, text }: MailboxMail): Answer {
  const facts = definitionList([
    { term: "To", value: to },
    { term: "Sent (UTC)", value: sentAt(at) },
  ]);
  return pageOf(
    subject,
    html`${facts}
<iframe src="/dev/mail/${id}/html" title="HTML part" sandbox="${SANDBOX}"></iframe>
<h2>Text part</h2>
<pre>${linkedText(text)}</pre>
<p><a href="/dev/mail">Mailbox</a></p>`,
  );
}

export function mailDocument({ html: body }: MailboxMail): Answer {
  const headers = { "content-security-policy": DOCUMENT_POLICY };
  return { status: 200, body, contentType: HTML_TYPE, headers };
}

/** Its addresses as links. */
function linkedText(text: string): Html[] {
  const addresses = text.match(ADDRESS) ?? [];
  return text.split(ADDRESS).map((plain, i) => {
    const address = addresses[i];
    return html`${plain}${address !== undefined && html`<a href="${address}">${address}</a>`}`;
  });
}

function sentAt(at: Date): Html {
  return timeHtml(at, "UTC", "seconds");
}

function pageOf(title: string, content: HtmlValue): Answer {
  const body = html`<div class="narrow mailbox">
<header class="brand">${brandMark()}<strong>Windward</strong></header>
<main class="sheet">
<h1>${title}</h1>
${content}
</main>
</div>`;
  const document = renderDocument({ title: `${title} · Windward`, body, styles: [consoleStyle] });
  return pageAnswer(document, { policy: { "frame-src": "'self'" } });
}
