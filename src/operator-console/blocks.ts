/**
 * What a command shows, as parts of a page: facts, tables and words. Names of records in it lead to
 * their pages; tables without rows are one sentence together.
 */

import { browserWords } from "../console/me/browser-words.ts";
import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { TRANSACTION_ID, UUID } from "../kit/ids.ts";
import type { Report } from "../modules/operator/command.ts";
import { ACCOUNT_NUMBER, BATCH_NAME } from "../modules/operator/fields.ts";
import { type Block, type BlockCell, words } from "../modules/operator/render.ts";
import { badge } from "../parts/badge.ts";
import { definitionList } from "../parts/definition-list.ts";
import { moneyHtml } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { type Column, table } from "../parts/table.ts";
import { timeText } from "../parts/time.ts";
import { ACTION_WORDS } from "./actions/action-words.ts";
import { inPageWords, withPageNames } from "./page-words.ts";
import { stateHtml } from "./state-words.ts";

/** Under which headings are sentences of ours, which may name amounts and actions. */
const SENTENCES = ["words", "difference", "do"];
const STATES = ["state", "status"];
/** Long cells, which would push others off the page. */
const CLIPPED = ["e-mail", "name", "business", "shop", "url", "said", "error"];
const EMPTY = "-";
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}Z$/;
/** At the end of what else an audit entry has. */
const BROWSER = /(?<=\bbrowser )\S.*$/s;

/** Under which headings an id is that of a record with a page of its own. */
const PAGES: Readonly<Record<string, { readonly form: RegExp; readonly href: string }>> = {
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

type Table = Extract<Block, { kind: "table" }>;

/** Ids, names and reasons of any length, which are broken anywhere rather than push others off. */
const BROKEN = ["who", "why", "more", "asked by", "because"];

/** Under which other column a table has a cell, so that all fit. */
const STACKED: Readonly<Record<string, string>> = {
  asked: "asked by",
  why: "what",
  account: "who",
};

function cellHtml(
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
function short(id: string): HtmlValue {
  if (id.length < 20 || BATCH_NAME.test(id)) return breakable(id);
  return UUID.test(id)
    ? `${id.slice(0, 8)}…`
    : `${id.slice(0, id.lastIndexOf("-") + 1)}…${id.slice(-6)}`;
}

/** `under`: the page's title, which need not be said again. */
export function blocksOf({ blocks, text }: Report, under = ""): readonly Html[] {
  const parts: Html[] = [];
  const empty: string[] = [];
  const said: Html[] = [];
  for (const block of blocks ?? [words(text)])
    if (block.kind === "words") said.push(wordsOf(block));
    else if (block.kind === "table" && block.rows.length === 0) empty.push(block.title);
    else parts.push(block.kind === "facts" ? factsHtml(block) : tableHtml(block, under));
  if (empty.length > 0) said.unshift(html`<p class="soft">${noneOf(empty)}</p>`);
  return said.length === 0 ? parts : [...parts, panel({ content: said })];
}

/** What the rows of a table are called, where its title is no name of many. */
const ROWS: Readonly<Record<string, string>> = {
  "Audit trail": "audit entries",
  Ledger: "ledger entries",
};

function noneOf(titles: readonly string[]): string {
  const names = titles.map(
    (title) => ROWS[title] ?? title.slice(0, 1).toLowerCase() + title.slice(1),
  );
  const last = names.pop();
  return `There are no ${names.length === 0 ? last : `${names.join(", ")} or ${last}`}.`;
}

function factsHtml({ rows }: Extract<Block, { kind: "facts" }>): Html {
  const known = rows.filter(([, value]) => value !== EMPTY);
  return panel({
    content: definitionList(known.map(([term, value]) => ({ term, value: cellHtml(term, value) }))),
  });
}

function wordsOf({ text, isQuoted }: Extract<Block, { kind: "words" }>): Html {
  return html`<p class="lines">${isQuoted === true ? text : inPageWords(text)}</p>`;
}

/** Ids that say nothing to a person: the row's first other cell leads there. */
const IDS_OF_ROWS = ["approval"];

function tableHtml({ title, headings, rows, more, next }: Table, under: string): Html {
  const hidden = headings.findIndex((label) => IDS_OF_ROWS.includes(label));
  const page = PAGES[headings[hidden] ?? ""];
  const amounts = headings.map((_, at) => rows.some((row) => typeof row[at] === "object"));
  const every = headings.map(
    (label, at): Column<readonly BlockCell[]> => ({
      label: label.slice(0, 1).toUpperCase() + label.slice(1),
      cell: (row) => cellsOf(headings, row, at),
      align: amounts[at] === true ? "end" : "start",
      phone: placeOf(label, {
        isLead: at === (hidden === 0 ? 1 : 0),
        isFirstAmount: at === amounts.indexOf(true),
      }),
      isClipped: CLIPPED.includes(label),
      isBroken: BROKEN.includes(label),
    }),
  );
  const columns = every.filter(
    (_, at) => at !== hidden && !headings.includes(STACKED[headings[at] ?? ""] ?? EMPTY),
  );
  const href = page && ((row: readonly BlockCell[]) => `${page.href}${String(row[hidden])}`);
  return panel({
    ...(title === under ? {} : { heading: title }),
    ...(more === undefined || next !== undefined
      ? {}
      : { text: `There are more: ${inPageWords(more)}.` }),
    isFlush: true,
    content: table({ caption: title, columns, rows, ...(href && { href }), empty: html`` }),
  });
}

/** The cell of a column, and below it those of others that are stacked there. */
function cellsOf(headings: readonly string[], row: readonly BlockCell[], at: number): HtmlValue {
  const label = headings[at] ?? "";
  const own = cellHtml(label, row[at] ?? EMPTY, short);
  const below = headings.flatMap((name, place) =>
    STACKED[name] === label && row[place] !== EMPTY
      ? [html`<span class="below">${cellHtml(name, row[place] ?? EMPTY, short)}</span>`]
      : [],
  );
  return [own, below];
}

/** What a list that goes on asks for next. */
export function nextOf({ blocks = [] }: Report): Readonly<Record<string, string>> | undefined {
  for (const block of blocks)
    if (block.kind === "table" && block.next !== undefined) return block.next;
  return undefined;
}

/** On a phone a row has its name, its amount and its state in the first lines. */
function placeOf(
  label: string,
  { isLead, isFirstAmount }: { isLead: boolean; isFirstAmount: boolean },
) {
  if (isLead) return "lead";
  return isFirstAmount || STATES.includes(label) ? "side" : "row";
}
