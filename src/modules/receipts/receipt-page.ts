/**
 * The page of a receipt, for a customer who was sent its address (Decision 0098): to read, to keep
 * and to print. It needs no script, is kept by no cache and in no search engine, and leads
 * elsewhere without saying from where.
 */

import type { Infra } from "../../infra/context.ts";
import type { Answer } from "../../infra/http/answer.ts";
import type { RefusedCall } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { attributes, type Html, type HtmlValue, html } from "../../kit/html.ts";
import { consoleStyle } from "../../parts/console-assets.ts";
import { type Definition, definitionList } from "../../parts/definition-list.ts";
import { mailtoOf } from "../../parts/mail-address.ts";
import { notice } from "../../parts/notice.ts";
import { documentPolicy, pageAnswer, renderDocument } from "../../parts/page.ts";
import { chooseLanguage, languageHeaders } from "../../words/choose-language.ts";
import { receiptWords } from "../../words/receipt/receipt-words.ts";
import { type Receipt, readReceipt } from "./receipt.ts";
import { paymentText, type ReceiptRow, type ReceiptText } from "./receipt-text.ts";
import { readReceiptToken } from "./receipt-token.ts";

const HEADERS = {
  "content-security-policy": documentPolicy({
    "form-action": "'none'",
    "frame-ancestors": "'none'",
  }),
  "referrer-policy": "no-referrer",
};

export async function showReceipt({ config, db }: Infra, token: string): Promise<Answer> {
  const transactionId = readReceiptToken(config, token);
  if (transactionId === undefined) throw new NotFound("not the address of a receipt");
  const receipt = await readReceipt(db, config, transactionId);
  if (receipt === undefined) throw new NotFound("not paid");
  const headers = { ...HEADERS, "content-language": receipt.language };
  return pageAnswer(renderReceipt(receipt), { headers });
}

function renderReceipt(receipt: Receipt): string {
  const text = paymentText(receipt);
  return renderDocument({
    title: text.title,
    lang: receipt.language,
    styles: [consoleStyle],
    body: html`<div class="narrow receipt">
<main class="sheet">
${logoOf(receipt)}
<h1>${text.title}</h1>
${text.test !== undefined && notice({ tone: "warn", text: text.test })}
<p>${text.lead}</p>
${amounts(text.amounts)}
${factList(text.facts)}
${refunds(receipt, text)}
${contact(receipt, text)}
<p class="soft receipt-keep">${receiptWords(receipt.language).keep}</p>
</main>
</div>`,
  });
}

function logoOf({ business: { logo } }: Receipt): HtmlValue {
  if (logo === undefined) return undefined;
  return html`<img class="receipt-logo"${attributes({ ...logo, alt: "" })}>`;
}

/** The last row is the total. */
function amounts(rows: readonly ReceiptRow[]): Html {
  const lines = rows.map(
    ([label, value]) => html`<div><dt><bdi>${label}</bdi></dt><dd>${value}</dd></div>\n`,
  );
  return html`<dl class="receipt-amounts">\n${lines}</dl>`;
}

function refunds({ language }: Receipt, { refunds: rows }: ReceiptText): HtmlValue {
  if (rows.length === 0) return undefined;
  return html`<section><h2>${receiptWords(language).refund.heading}</h2>
${amounts(rows)}</section>`;
}

/** Each is a link: mail, call, website. */
function contact({ business }: Receipt, { contact: given }: ReceiptText): HtmlValue {
  if (given === undefined) return undefined;
  const hrefs = new Map([
    [business.email, mailtoOf(business.email ?? "")],
    [business.phone, `tel:${business.phone}`],
    [business.website, business.website],
  ]);
  const rows = given.rows.map(([term, value]) => ({
    term,
    value: html`<a href="${hrefs.get(value) ?? ""}" rel="noreferrer">${value}</a>`,
  }));
  return html`<section><p>${given.heading}</p>${definitionList(rows)}</section>`;
}

function factList(rows: readonly ReceiptRow[]): Html {
  return definitionList(
    rows.map(([term, value]): Definition => ({ term, value: html`<bdi>${value}</bdi>` })),
  );
}

/** In the browser's language: an address that leads nowhere has none of its own. */
export function receiptErrorPage(status: number, { header }: RefusedCall): Answer {
  const language = chooseLanguage({ acceptLanguage: header("accept-language") });
  const { notFound, trouble } = receiptWords(language);
  const { heading, text } = status === 404 ? notFound : trouble;
  const document = renderDocument({
    title: heading,
    lang: language,
    styles: [consoleStyle],
    body: html`<div class="narrow receipt"><main class="sheet"><h1>${heading}</h1>
<p>${text}</p></main></div>`,
  });
  return pageAnswer(document, {
    status,
    headers: { ...HEADERS, ...languageHeaders({ language }) },
  });
}
