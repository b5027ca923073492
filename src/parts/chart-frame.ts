/**
 * What all charts share: the figure with its title, the picture with its name and description, and
 * the same figures as a table. A chart is SVG made on the server. Its plot stretches to the width
 * there is, so words stand beside it as HTML and keep their size. Nothing is said by colour alone.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";

export interface ChartPoint {
  readonly label: string;
  /** Undefined where there is nothing to measure, as the success rate of a day without payments. */
  readonly value: number | undefined;
}

export interface ChartParts {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly note?: HtmlValue;
  readonly points: readonly ChartPoint[];
  /** Heads of the table. */
  readonly heads: { readonly label: string; readonly value: string };
  /** A value in full: "TTD 1,250.00". */
  readonly format: (value: number) => string;
  /** In place of the plot when there is nothing to draw. */
  readonly empty?: string;
}

/** Height of every plot in its own units; its width follows from what it shows. */
export const PLOT_HEIGHT = 100;

export function chartFigure(
  parts: ChartParts,
  figure: { readonly plot: Html; readonly className: string; readonly isEmpty: boolean },
): Html {
  const { title, note } = parts;
  const { plot, className, isEmpty } = figure;
  return html`<figure class="chart ${className}">
<figcaption><span class="chart-title">${title}</span>
${note !== undefined && html`<span class="soft">${note}</span>`}</figcaption>
${plot}
${!isEmpty && html`<details><summary>Show as a table</summary>${chartTable(parts)}</details>`}
</figure>`;
}

/** The picture itself: one image to a screen reader, named and described. */
export function chartSvg(
  { id, title }: Pick<ChartParts, "id" | "title">,
  parts: { readonly description: string; readonly width: number; readonly content: Html },
): Html {
  const { description, width, content } = parts;
  const about = attributes({
    role: "img",
    "aria-labelledby": `${id}-title ${id}-about`,
    viewBox: `0 0 ${width} ${PLOT_HEIGHT}`,
    preserveAspectRatio: "none",
  });
  return html`<svg${about}><title id="${id}-title">${title}</title>
<desc id="${id}-about">${description}</desc>${content}</svg>`;
}

/** Ticks on the left, from the top, then the picture, then labels of what it runs over. */
export function chartPlot(parts: {
  readonly svg: Html;
  readonly ticks: readonly string[];
  readonly labels: readonly string[];
  /** Each label stands below its own slot, rather than the outer ones at the edges. */
  readonly isSlotted?: boolean;
  readonly empty?: string | undefined;
}): Html {
  const { svg, ticks, labels, isSlotted = false, empty } = parts;
  return html`<div class="plot">
<div class="ticks" aria-hidden="true">${spans(ticks)}</div>
<div class="plot-area">${svg}
${empty !== undefined && html`<p class="plot-empty">${empty}</p>`}</div>
<div class="labels${isSlotted ? " slotted" : ""}" aria-hidden="true">${spans(labels)}</div>
</div>`;
}

function spans(texts: readonly string[]): readonly Html[] {
  return texts.map((text) => html`<span>${text}</span>`);
}

/** In words: the span, and the highest and the lowest value. */
export function describePoints({ points, format }: Pick<ChartParts, "points" | "format">): string {
  const known = points.flatMap(({ label, value }) =>
    value === undefined ? [] : [{ label, value }],
  );
  const [first] = known;
  if (first === undefined) return "There is nothing to show.";
  const pick = (isBetter: (a: number, b: number) => boolean) =>
    known.reduce((best, each) => (isBetter(each.value, best.value) ? each : best), first);
  const most = pick((a, b) => a > b);
  const least = pick((a, b) => a < b);
  const span = known.length === 1 ? first.label : `${first.label} to ${known.at(-1)?.label}`;
  if (most.value === least.value) return `${span}: ${format(most.value)} throughout.`;
  return (
    `${span}. Highest: ${format(most.value)}, ${most.label}. ` +
    `Lowest: ${format(least.value)}, ${least.label}.`
  );
}

/** Lines across the plot, one for each tick. */
export function gridLines(count: number, width: number): Html {
  const lines = Array.from({ length: count }, (_, index) => {
    const y = round((index / Math.max(1, count - 1)) * PLOT_HEIGHT);
    return `M0 ${y}H${width}`;
  });
  return html`<path class="grid" d="${lines.join("")}"/>`;
}

/** Over the whole height, so that a low bar can be pointed at; its title is the browser's hint. */
export function hitArea(
  { label, value }: ChartPoint,
  parts: { readonly x: number; readonly width: number; format: (value: number) => string },
): Html {
  const text = value === undefined ? "nothing" : parts.format(value);
  const { x, width } = parts;
  const place = attributes({ x, width, height: PLOT_HEIGHT });
  return html`<rect class="hit"${place}><title>${label}: ${text}</title></rect>\n`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function chartTable({ title, points, heads, format }: ChartParts): Html {
  const rows = points.map(({ label, value }) => {
    const shown = value === undefined ? "–" : format(value);
    return html`<tr><th scope="row">${label}</th><td>${shown}</td></tr>\n`;
  });
  return html`<table class="chart-table"><caption class="unseen">${title}</caption>
<thead><tr><th scope="col">${heads.label}</th><th scope="col">${heads.value}</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}
