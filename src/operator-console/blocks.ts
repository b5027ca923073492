/**
 * What a command shows, as parts of a page: facts, tables and words. Names of records in it lead to
 * their pages.
 */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { TRANSACTION_ID, UUID } from "../kit/ids.ts";
import type { Report } from "../modules/operator/command.ts";
import type { Block, BlockCell } from "../modules/operator/render.ts";
import { definitionList } from "../parts/definition-list.ts";
import { moneyHtml } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { type Column, table } from "../parts/table.ts";
import { inAmountsOfPage } from "./amount-words.ts";

const ACCOUNT_NUMBER = /^[1-9]\d{9}$/;
/** Under which headings are sentences of ours, which may have amounts in them. */
const SENTENCES = ["words", "difference"];
const EMPTY = "-";

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
};

function cellHtml(heading: string, cell: BlockCell): HtmlValue {
  if (typeof cell === "string")
    return SENTENCES.includes(heading) ? inAmountsOfPage(cell) : linked(heading, cell);
  const { money, note } = cell;
  return [moneyHtml(money), note !== undefined && ` (${note})`];
}

export function linked(heading: string, text: string): HtmlValue {
  const page = PAGES[heading.toLowerCase()];
  if (page === undefined || !page.form.test(text)) return text;
  return html`<a href="${page.href}${text}">${text}</a>`;
}

export function blocksOf({ blocks, text }: Report): readonly Html[] {
  if (blocks === undefined) return [panel({ content: wordsOf(text) })];
  return blocks.map(blockHtml);
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case "facts":
      return panel({
        content: definitionList(
          block.rows
            .filter(([, value]) => value !== EMPTY)
            .map(([term, value]) => ({ term, value: cellHtml(term, value) })),
        ),
      });
    case "words":
      return panel({ content: wordsOf(block.text) });
    case "table":
      return tableHtml(block);
  }
}

function wordsOf(text: string): Html {
  return html`<p class="lines">${inAmountsOfPage(text)}</p>`;
}

function tableHtml({ title, headings, rows, more }: Extract<Block, { kind: "table" }>): Html {
  const columns = headings.map(
    (label, at): Column<readonly BlockCell[]> => ({
      label: label.slice(0, 1).toUpperCase() + label.slice(1),
      cell: (row) => cellHtml(label, row[at] ?? ""),
      align: isOfAmounts(rows, at) ? "end" : "start",
      phone: at === 0 ? "lead" : "row",
    }),
  );
  return panel({
    heading: title,
    ...(more === undefined ? {} : { text: `There are more: ${more}.` }),
    isFlush: rows.length > 0,
    content: table({ caption: title, columns, rows, empty: html`<p class="soft">None.</p>` }),
  });
}

function isOfAmounts(rows: readonly (readonly BlockCell[])[], at: number): boolean {
  return rows.some((row) => typeof row[at] === "object");
}
