/**
 * The pages of the simulated card's bank (Decision 0038): the document that leads there, the
 * question, and the return to the payment page. Each works without scripts, in a small frame and as
 * a whole window, and says that the bank is simulated.
 */

import { createHash } from "node:crypto";
import { type Html, html, trusted } from "../../../kit/html.ts";
import type { BankWords } from "../../../words/bank/en.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1a2430; --soft: #4d5a68; --ground: #f3f5f7;
  --sheet: #fff; --line: #c9d1d9; --strong: #0b5a67; --on-strong: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef2f5; --soft: #b3bfca; --ground: #12181e; --sheet: #1b232b; --line: #44505c;
    --strong: #7fd3e0; --on-strong: #08252b; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; align-content: safe center;
  justify-items: center; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 1.5rem; background: var(--sheet); }
@media (min-width: 30rem) and (min-height: 34rem) {
  main { border: 1px solid var(--line); border-radius: .75rem; } }
.bank { margin: 0 0 1rem; font-weight: 600; color: var(--soft); }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
.note { margin: 1rem 0 0; font-size: .875rem; color: var(--soft); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem;
  padding: .75rem 0; border-block: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; }
form { display: grid; gap: .75rem; }
button { min-height: 3rem; padding: .5rem 1rem; border: 1px solid var(--strong);
  border-radius: .5rem; background: transparent; color: var(--strong); font: inherit;
  font-weight: 600; cursor: pointer; }
button.first { background: var(--strong); color: var(--on-strong); }
@media (max-width: 22rem) { main { padding: 1rem; } .bank { margin: 0 0 .5rem; }
  h1 { font-size: 1.125rem; } }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

const SEND_FORM = "document.forms[0].submit()";

/** Framing and form targets stay open: a bank knows no merchant. */
export const CHALLENGE_PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${integrityOf(STYLE)}'`,
  `script-src '${integrityOf(SEND_FORM)}'`,
  "base-uri 'none'",
].join("; ");

function integrityOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

const SELF_SENDING = html`<script>${trusted(SEND_FORM)}</script>`;

function framed({ language }: BankWords, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox Bank</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<p class="bank">Sandbox Bank</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString();
}

interface PaymentFacts {
  readonly amount: string;
  readonly card: string;
}

function factList(t: BankWords, { amount, card }: PaymentFacts): Html {
  return html`<dl>
<dt>${t.amount}</dt><dd>${amount}</dd>
<dt>${t.card}</dt><dd>${card}</dd>
</dl>`;
}

/** What the gateway returns for the frame: it leads to the bank's page, in the same language. */
export function challengeDocument(
  { language, leading }: BankWords,
  { address }: { readonly address: string },
): string {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${leading.title}</title></head>
<body>
<form method="get" action="${address}"><button>${leading.next}</button>
<input type="hidden" name="language" value="${language}"></form>
${SELF_SENDING}
</body>
</html>
`.toString();
}

export function questionPage(t: BankWords, facts: PaymentFacts): string {
  const { heading, confirm, decline, note } = t.question;
  return framed(
    t,
    heading,
    html`${factList(t, facts)}
<form method="post">
<button class="first" name="result" value="passed">${confirm}</button>
<button name="result" value="refused">${decline}</button>
</form>
<p class="note">${note}</p>`,
  );
}

export function silentPage(t: BankWords, facts: PaymentFacts): string {
  return framed(t, t.silent.heading, html`<p>${t.silent.text}</p>\n${factList(t, facts)}`);
}

/** The form submits itself where scripts run; its button is for where they do not. */
export function returnPage(
  t: BankWords,
  parts: { readonly returnUrl: string; readonly token: string; readonly result: string },
): string {
  const { returnUrl, token, result } = parts;
  const { heading, passed, refused, finish, back } = t.answered;
  return framed(
    t,
    heading,
    html`<p>${result === "passed" ? passed : refused}
${finish}</p>
<form method="post" action="${returnUrl}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="result" value="${result}">
<button class="first">${back}</button>
</form>
${SELF_SENDING}`,
  );
}

export function noChallengePage(t: BankWords): string {
  return framed(t, t.nothing.heading, html`<p>${t.nothing.text}</p>`);
}
