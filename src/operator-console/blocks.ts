/**
 * What a command shows, as parts of a page: facts, tables and words. Tables without rows are one
 * sentence together.
 */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import type { Report } from "../modules/operator/command.ts";
import { type Block, type BlockCell, words } from "../modules/operator/render.ts";
import { definitionList } from "../parts/definition-list.ts";
import { panel } from "../parts/panel.ts";
import { type Column, table } from "../parts/table.ts";
import { cellHtml, EMPTY, PAGES, STATES, short } from "./cells.ts";
import { inPageWords } from "./page-words.ts";

/** Long cells, which would push others off the page. */
const CLIPPED = ["e-mail", "name", "business", "shop", "url", "said", "error"];

type Table = Extract<Block, { kind: "table" }>;

/** Ids, names and reasons of any length, which are broken anywhere rather than push others off. */
const BROKEN = ["who", "why", "more", "asked by", "because"];

/** Under which other column a table has a cell, so that all fit. */
const STACKED: Readonly<Record<string, string>> = {
  asked: "asked by",
  why: "what",
  account: "who",
};

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
