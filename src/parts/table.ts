/**
 * Tables: columns as data, one function a cell. On a phone each row becomes a short block, placed
 * by what its columns say; the roles keep it a table for screen readers, which layout would undo.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => HtmlValue;
  /** Figures stand at the end, words at the start. */
  readonly align?: "start" | "end";
  /**
   * On a phone. lead: the first line, in bold, and the row's link. side: at its right. note: small,
   * below it. row (by default): a line of its own, with the column's label. hidden: not there, nor
   * in a table of middling width, for what the page behind the row shows anyway.
   */
  readonly phone?: "lead" | "side" | "note" | "row" | "hidden";
  /** It gives way to other columns and is cut off behind two lines: for names and e-mails. */
  readonly isClipped?: boolean;
  /** Long words of it are broken anywhere, so that they push no other column off. */
  readonly isBroken?: boolean;
  /** The label is read out only: for a column of buttons. */
  readonly isUnlabelled?: boolean;
}

export interface TableParts<Row> {
  /** Read out only: a heading above says it to others. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where a row leads: its lead cell is the link, and the whole row can be clicked. */
  readonly href?: (row: Row) => string;
  /** In place of a table without rows. */
  readonly empty: Html;
  /** Sums, below the rows, by the labels of their columns. */
  readonly foot?: Readonly<Record<string, HtmlValue>>;
}

export function table<Row>(parts: TableParts<Row>): Html {
  const { caption, columns, rows, foot } = parts;
  if (rows.length === 0) return parts.empty;
  const isLinked = parts.href !== undefined;
  return html`<div class="table-frame">
<table role="table" class="table${isLinked ? " linked" : ""}">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headCell)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => bodyRow(parts, row))}</tbody>
${foot !== undefined && footRow(columns, foot)}</table></div>`;
}

function headCell<Row>({ label, align, phone, isUnlabelled = false }: Column<Row>): Html {
  const text = isUnlabelled ? html`<span class="unseen">${label}</span>` : label;
  const className = phone === "hidden" ? "on-hidden" : endOf(align);
  const about = attributes({ role: "columnheader", scope: "col", class: className });
  return html`<th${about}>${text}</th>`;
}

function bodyRow<Row>({ columns, href }: TableParts<Row>, row: Row): Html {
  const lead = columns.find(({ phone }) => phone === "lead") ?? columns[0];
  const cells = columns.map((column) => {
    const content = column.cell(row);
    const isLink = column === lead && href !== undefined;
    return cellOf(column, isLink ? html`<a href="${href(row)}">${content}</a>` : content);
  });
  return html`<tr role="row">${cells}</tr>\n`;
}

function footRow<Row>(
  columns: readonly Column<Row>[],
  foot: Readonly<Record<string, HtmlValue>>,
): Html {
  const cells = columns.map((column) => cellOf(column, foot[column.label]));
  return html`<tfoot role="rowgroup"><tr role="row">${cells}</tr></tfoot>\n`;
}

function cellOf<Row>(column: Column<Row>, content: HtmlValue): Html {
  const { label, align, phone = "row", isUnlabelled = false, isClipped = false } = column;
  const { isBroken = false } = column;
  const isNamed = phone === "row" && !isUnlabelled;
  const className = [`on-${phone}`, endOf(align), isClipped && "clipped", isBroken && "broken"]
    .filter(Boolean)
    .join(" ");
  const about = attributes({ class: className, "data-label": isNamed ? label : undefined });
  const isCut = isClipped && content !== undefined && content !== null && content !== "";
  return html`<td role="cell"${about}>${
    isCut ? html`<span class="two-lines">${content}</span>` : content
  }</td>`;
}

function endOf(align: Column<never>["align"]): string | undefined {
  return align === "end" ? "end" : undefined;
}
