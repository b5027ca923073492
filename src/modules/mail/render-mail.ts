/**
 * The text and the HTML of a mail, made from one description so that both say the same. The HTML
 * loads nothing, tells nobody that it was read, and leaves colours to the reader's mail program,
 * light or dark; styles stand in attributes because many of these programs drop style sheets.
 */

import assert from "node:assert/strict";
import { type Html, html } from "../../kit/html.ts";
import type { Language } from "../../kit/vocabulary.ts";

/** A paragraph, a link that stands alone, or rows of a label and a value. */
type MailPart = string | { readonly link: string; readonly text: string } | MailRows;

interface MailRows {
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Values are whole and stand below each other; it is the labels that may be long. */
  readonly areAmounts?: true;
}

export interface MailContent {
  /** That of the words; English where it is not said. */
  readonly language?: Language;
  readonly heading: string;
  readonly parts: readonly MailPart[];
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const BODY =
  "margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica," +
  "Arial,sans-serif;font-size:16px;line-height:1.5";
const MAIN = "max-width:560px;margin:0 auto;overflow-wrap:anywhere";
const HEADING = "margin:0 0 16px;font-size:22px;line-height:1.3";
const PARAGRAPH = "margin:0 0 16px";
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:6px;background-color:#0b5a67;" +
  "color:#ffffff;font-weight:600;text-decoration:none";
const TABLE = "margin:0 0 16px;border-collapse:collapse";
const LABEL =
  "padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:600;" +
  "overflow-wrap:break-word";
const VALUE = "padding:4px 0;text-align:left;vertical-align:top";
const AMOUNTS = `${TABLE};width:100%`;
const NAME =
  "padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;" +
  "overflow-wrap:anywhere;word-break:break-word";
const AMOUNT =
  "padding:4px 0;text-align:right;vertical-align:top;white-space:nowrap;overflow-wrap:normal";

export function renderMail(mail: { subject: string; content: MailContent }): RenderedMail {
  const subject = oneLine(mail.subject);
  const { language = "en" } = mail.content;
  const heading = oneLine(mail.content.heading);
  const parts = mail.content.parts.map(checkedPart);
  return {
    subject,
    text: `${[heading, ...parts.map((part) => partText(part, COLONS[language]))].join("\n\n")}\n`,
    html: documentOf({ subject, language, heading, parts }).toString(),
  };
}

/** French has a space before it. */
const COLONS: Readonly<Record<Language, string>> = { en: ":", es: ":", fr: "\u00a0:", nl: ":" };

const BREAKING = /(?:[^\S\u00a0\u202f]|[\p{Cc}\u2028-\u202e\u2066-\u2069])+/gu;

/**
 * Names and order ids are somebody's own words: with line ends they could add paragraphs, or
 * headers to the mail, and with marks of direction show a text that is not there. Spaces that do
 * not break stay: they keep an amount together.
 */
function oneLine(text: string): string {
  return text.replace(BREAKING, " ").trim();
}

function checkedPart(part: MailPart): MailPart {
  if (typeof part === "string") return oneLine(part);
  if ("rows" in part)
    return {
      ...part,
      rows: part.rows.map(([label, value]) => [oneLine(label), oneLine(value)] as const),
    };
  const { protocol, href } = new URL(part.link);
  assert(protocol === "https:" || protocol === "http:", "a mail links to pages");
  return { link: href, text: oneLine(part.text) };
}

function partText(part: MailPart, colon: string): string {
  if (typeof part === "string") return part;
  if ("rows" in part)
    return part.rows.map(([label, value]) => `${label}${colon} ${value}`).join("\n");
  return `${part.text}${colon}\n${part.link}`;
}

function documentOf(of: {
  readonly subject: string;
  readonly language: Language;
  readonly heading: string;
  readonly parts: readonly MailPart[];
}): Html {
  return html`<!doctype html>
<html lang="${of.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${of.subject}</title>
</head>
<body style="${BODY}">
<main style="${MAIN}">
<h1 style="${HEADING}">${of.heading}</h1>
${of.parts.map(partHtml)}</main>
</body>
</html>
`;
}

function partHtml(part: MailPart): Html {
  if (typeof part === "string") return html`<p style="${PARAGRAPH}">${part}</p>\n`;
  if ("rows" in part) return tableHtml(part);
  // In a window of its own and without a referrer: the address may be a secret.
  return html`<p style="${PARAGRAPH}"><a href="${part.link}" target="_blank" rel="noreferrer"
 style="${BUTTON}">${part.text}</a></p>\n`;
}

function tableHtml({ rows, areAmounts }: MailRows): Html {
  const lines = rows.map(
    ([label, value]) => html`<tr><th scope="row" style="${areAmounts ? NAME : LABEL}">${label}</th>
<td style="${areAmounts ? AMOUNT : VALUE}">${value}</td></tr>\n`,
  );
  return html`<table style="${areAmounts ? AMOUNTS : TABLE}">\n${lines}</table>\n`;
}
