/**
 * What a command shows in one place: times, amounts, states in words, and ids that lead to the
 * pages of their records.
 */

import { browserWords } from "../console/me/browser-words.ts";
import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { TRANSACTION_ID, UUID } from "../kit/ids.ts";
import { ACCOUNT_NUMBER, BATCH_NAME } from "../modules/operator/fields.ts";
import type { BlockCell } from "../modules/operator/render.ts";
import { badge } from "../parts/badge.ts";
import { moneyHtml } from "../parts/money.ts";
import { timeText } from "../parts/time.ts";
import { ACTION_WORDS } from "./actions/action-words.ts";
import { inPageWords, withPageNames } from "./page-words.ts";
import { stateHtml } from "./state-words.ts";

/** Under which headings are sentences of ours, which may name amounts and actions. */
const SENTENCES = ["words", "difference", "do"];
/** Under which headings are states. */
export const STATES = ["state", "status"];
/** What a command says where there is nothing. */
export const EMPTY = "-";
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}Z$/;
/** At the end of what else an audit entry has. */
const BROWSER = /(?<=\bbrowser )\S.*$/s;

/** Under which headings an id is that of a record with a page of its own. */
export const PAGES: Readonly<Record<string, { readonly form: RegExp; readonly href: string }>> = {
  account: { form: ACCOUNT_NUMBER, href: "/operator/accounts/" },
  "made by": { form: ACCOUNT_NUMBER, href: "/operator/accounts/" },
  payment: { form: TRANSACTION_ID, href: "/operator/payments/" },
  withdrawal: { form: TRANSACTION_ID, href: "/operator/withdrawals/" },
  record: { form: TRANSACTION_ID, href: "/operator/records/" },
  webhook: { form: UUID, href: "/operator/webhooks/" },
  request: { form: UUID, href: "/operator/requests/" },
  approval: { form: UUID, href: "/operator/approvals/" },
  batch: { form: BATCH_NAME, href: "/operator/bank-files/" },
};

export function cellHtml(
  heading: string,
  cell: BlockCell,
  shown: (id: string) => HtmlValue = breakable,
): HtmlValue {
  if (typeof cell !== "string") {
    const { money, note } = cell;
    return [moneyHtml(money), note !== undefined && ` (${note})`];
  }
  if (cell === EMPTY) return "";
  const name = heading.toLowerCase();
  if (SENTENCES.includes(name)) return inPageWords(cell);
  if (name === "more") return moreOf(cell);
  if (name === "command") return ACTION_WORDS[cell]?.button ?? cell;
  if (TIME.test(cell)) return utcTime(new Date(cell));
  return STATES.includes(name) ? stateHtml(cell) : linked(name, cell, shown);
}

/** An audit entry may hold words of strangers, so nothing of it is left out. */
function moreOf(cell: string): string {
  const browser = BROWSER.exec(cell)?.[0] ?? "";
  return `${withPageNames(cell.slice(0, cell.length - browser.length))}${browserWords(browser)}`;
}

/**
 * In one form on every page, and always UTC: operators look at several countries. A day is not
 * broken; between day and time a narrow column may be.
 */
export function utcTime(at: Date): Html {
  const [day = "", time = ""] = timeText(at, "UTC", "seconds").split(", ");
  return html`<span><time datetime="${at.toISOString()}">${day}</time>, ${time}\u00a0UTC</span>`;
}

/** `shown`: what of a name stands on the page. */
export function linked(
  heading: string,
  text: string,
  shown: (id: string) => HtmlValue = breakable,
): HtmlValue {
  const page = PAGES[heading.toLowerCase()];
  if (page === undefined || !page.form.test(text)) return text;
  // What is shortened for the eye is whole to a screen reader.
  const whole = shown === short && { title: text, "aria-label": text };
  const about = attributes({ href: `${page.href}${text}`, ...whole });
  return [html`<a${about}>${shown(text)}</a>`, text.startsWith("SB-") && SANDBOX];
}

const SANDBOX = html` ${badge("plain", "Sandbox")}`;

/** A long id may be broken in the middle. */
function breakable(id: string): HtmlValue {
  const middle = Math.ceil(id.length / 2);
  return id.length < 20 ? id : html`${id.slice(0, middle)}<wbr>${id.slice(middle)}`;
}

/** In a table, which has many columns: what differs most in ids of one day is their end. */
export function short(id: string): HtmlValue {
  if (id.length < 20 || BATCH_NAME.test(id)) return breakable(id);
  return UUID.test(id)
    ? `${id.slice(0, 8)}…`
    : `${id.slice(0, id.lastIndexOf("-") + 1)}…${id.slice(-6)}`;
}
