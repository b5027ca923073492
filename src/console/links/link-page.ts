/** One payment link: what it is, how to share it, what it came to. */

import type { Config } from "../../infra/config.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { endOfDay } from "../../kit/local-day.ts";
import type { MonthTotal } from "../../modules/payment-links/link-totals.ts";
import { type LinkRow, linkUrl } from "../../modules/payment-links/payment-link.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { buttonRow, linkButton } from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { timeHtml, timeText } from "../../parts/time.ts";
import { LANGUAGE_NAMES } from "../language-names.ts";
import { lastDay } from "../last-day.ts";
import { oneTimeButton } from "../one-time-form.ts";
import { atRecord, otherEnvironment } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import { PAYMENTS } from "../payments/payment-filters.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import {
  feeWords,
  itemWords,
  LINKS,
  linkBadge,
  linkHref,
  paidWords,
  priceWords,
  sumOf,
} from "./link-words.ts";
import { monthPanel } from "./list-page.ts";

export interface LinkView {
  readonly link: LinkRow;
  readonly byMonth: readonly MonthTotal[];
  readonly refused?: RefusedForm | undefined;
}

export function linkPage(config: Config, visitor: Visitor, view: LinkView): Answer {
  const { link, byMonth, refused } = view;
  const href = linkHref(link);
  return consolePage(atRecord(visitor, link), {
    title: link.title,
    section: "Links",
    back: { name: "Links", href: LINKS },
    problem: refused?.summary,
    beside: buttonRow(
      linkButton({ text: "Change", href: `${href}/change` }),
      oneTimeButton(visitor, {
        action: `${href}/${link.is_active ? "off" : "on"}`,
        text: link.is_active ? "Switch off" : "Switch on",
      }),
    ),
    content: [
      otherEnvironment(visitor, link, "link"),
      sharePanel(config, link),
      panel({ live: "link", content: definitionList(factsOf(visitor, link)) }),
      byMonth.length > 0 && monthPanel(byMonth),
      sitePanel(config, link),
    ],
  });
}

/** A day that is over at midnight is what most owners have set. */
function closingWords(end: Date, timeZone: string): HtmlValue {
  const last = lastDay(end, timeZone);
  if (endOfDay(last, timeZone).getTime() !== end.getTime()) return timeHtml(end, timeZone);
  return `At the end of ${timeText(new Date(end.getTime() - 1), timeZone, "day")}`;
}

function factsOf({ environment, timeZone }: Visitor, link: LinkRow) {
  const { expires_at: end, language, link_id: id } = link;
  const payments = `${PAYMENTS}?${new URLSearchParams({ payment_link: id, status: "success" })}`;
  // The list shows the payments of the session's environment alone.
  const who = link.environment === environment && html` <a href="${payments}">See who paid</a>`;
  return [
    { term: "State", value: linkBadge(link) },
    { term: "Amount", value: priceWords(link) },
    { term: "Items", value: itemWords(link) },
    { term: "Fee", value: feeWords(link) },
    { term: "Payments", value: html`${paidWords(link)}${who}` },
    { term: "Total", value: moneyHtml(sumOf(link)) },
    { term: "Description", value: link.description ?? undefined },
    { term: "Closes", value: end === null ? undefined : closingWords(end, timeZone) },
    { term: "The customer is asked for", value: link.reference_label ?? undefined },
    { term: "After paying", value: link.success_url ?? link.success_message ?? undefined },
    { term: "Language", value: language === null ? undefined : LANGUAGE_NAMES[language] },
    { term: "Label", value: link.label ?? undefined },
    { term: "Made", value: timeHtml(link.created_at, timeZone) },
    { term: "Id", value: copyable(id, "id") },
  ];
}

function sharePanel(config: Config, { slug, title }: LinkRow): Html {
  const url = linkUrl(config, slug);
  const picture = `/pay/${slug}/qr`;
  const whatsApp = `https://wa.me/?${queryText({ text: `${title} ${url}` })}`;
  const mail = `mailto:?${queryText({ subject: title, body: url })}`;
  return panel({
    heading: "Share it",
    content: html`<p>${copyable(url, "the link")}</p>
${isOfThisComputer(url) && OWN_COMPUTER}
<p class="qr"><img src="${picture}.svg" alt="QR code of the link" width="180" height="180"></p>
${buttonRow(
  html`<button type="button" class="button primary" data-share="${url}"
 data-share-title="${title}">Share</button>`,
  linkButton({ text: "Open", href: url }),
  html`<a class="button secondary" href="${whatsApp}" target="_blank"
 rel="noreferrer">WhatsApp</a>`,
  linkButton({ text: "Send by e-mail", href: mail }),
  download("Picture for print (SVG)", `${picture}.svg`),
  download("Picture (PNG)", `${picture}.png`),
)}`,
  });
}

const OWN_COMPUTER = html`<p class="soft">A phone cannot open this address: it is this
computer's own. To try it with a phone, start the service with <code>HOST</code> set to the
computer's address in your network.</p>`;

/** In development, mostly. */
function isOfThisComputer(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** Programs read a plus sign as one. */
function queryText(parts: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parts).toString().replaceAll("+", "%20");
}

function download(text: string, href: string): Html {
  return html`<a class="button secondary" href="${href}" download>${text}</a>`;
}

function sitePanel(config: Config, { slug, title }: LinkRow): HtmlValue {
  const url = linkUrl(config, slug);
  const script = `${config.http.paymentsPublicUrl}/pay/button.js`;
  const code =
    `<a class="windward-pay" href="${url}">${html`${title}`}</a>\n` +
    `<script src="${script}" async></script>`;
  return panel({
    heading: "On your site",
    text:
      "Paste this into any page. The link opens in a frame above it; where scripts do not run, " +
      "as a page.",
    content: codeBlock({ title: "HTML", code }),
  });
}
