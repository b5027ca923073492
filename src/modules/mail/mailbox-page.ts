/**
 * The pages of the mailbox: a list, one mail, and its HTML part as a document of its own in a
 * sandboxed frame. The document has no script and loads nothing; its links open in a new window.
 */

import { createHash } from "node:crypto";
import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html, trusted } from "../../kit/html.ts";
import type { MailboxMail } from "./mailbox.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #c9ced6; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444f; --link: #8cc2ff; } }
* { box-sizing: border-box; }
body { max-width: 56rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere;
  font: 16px/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; }
h1 { line-height: 1.2; }
a { color: var(--link); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
iframe { width: 100%; height: 28rem; border: 1px solid var(--line); border-radius: 6px; }
pre { padding: 1rem; border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap;
  font: 14px/1.5 ui-monospace, monospace; }
@media (max-width: 34rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0; border: 0; }
}
`;
const DIGEST = createHash("sha256").update(STYLE).digest("base64");
const PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${DIGEST}'; img-src data:; frame-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";
const DOCUMENT_POLICY =
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ` +
  `frame-ancestors 'self'; sandbox ${SANDBOX}`;
const ADDRESS = /https?:\/\/[^\s<>"]+/g;

export function mailboxPage(mails: readonly MailboxMail[]): Answer {
  const rows = mails.map(
    ({ id, subject, to, at }) => html`
<tr><td><a href="/dev/mail/${id}">${subject}</a></td><td>${to}</td><td>${timeHtml(at)}</td></tr>`,
  );
  const table = html`<table>
<thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Sent</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
  return pageOf(
    "Mailbox",
    html`<h1>Mailbox</h1>
<p>Mail of the development stage. None of it left this machine.</p>
${mails.length === 0 ? html`<p>Nothing was sent yet.</p>` : table}`,
  );
}

export function mailPage({ id, subject, to, at, text }: MailboxMail): Answer {
  return pageOf(
    subject,
    html`<p><a href="/dev/mail">Mailbox</a></p>
<h1>${subject}</h1>
<p>To ${to}, sent ${timeHtml(at)}</p>
<iframe src="/dev/mail/${id}/html" title="HTML part" sandbox="${SANDBOX}"></iframe>
<h2>Text part</h2>
<pre>${linkedText(text)}</pre>`,
  );
}

export function mailDocument({ html: body }: MailboxMail): Answer {
  return answerOf(body, DOCUMENT_POLICY);
}

/** Its addresses as links. */
function linkedText(text: string): Html[] {
  const between = text.split(ADDRESS);
  const addresses = text.match(ADDRESS) ?? [];
  return between.map((plain, i) => {
    const address = addresses[i];
    return html`${plain}${address !== undefined && html`<a href="${address}">${address}</a>`}`;
  });
}

function timeHtml(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function pageOf(title: string, main: Html): Answer {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title} · Windward</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return answerOf(page.toString(), PAGE_POLICY);
}

function answerOf(body: string, policy: string): Answer {
  return {
    status: 200,
    body,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy },
  };
}
