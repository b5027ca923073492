/** Reasons by how often they occur: horizontal bars, each with its name and figure in words. */

import { type Html, html } from "../kit/html.ts";
import { type ChartParts, chartFigure, chartSvg, PLOT_HEIGHT, round } from "./chart-frame.ts";

const WIDTH = 100;
/** Where in its row a bar stands, below its words. */
const BAR_TOP = 0.66;
const BAR_HEIGHT = 0.16;

/** The highest first. Values are counts or amounts of one kind. */
export function rankedBars(parts: ChartParts): Html {
  const { format } = parts;
  const points = parts.points.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const most = Math.max(0, ...points.map(({ value }) => value ?? 0));
  if (most === 0) {
    const plot = html`<p class="ranked-empty">${parts.empty ?? "Nothing in this period"}</p>`;
    return chartFigure({ ...parts, points }, { plot, className: "ranked", isEmpty: true });
  }
  const row = PLOT_HEIGHT / points.length;
  const bar = (index: number, width: number) => {
    const top = round((index + BAR_TOP) * row);
    return `M0 ${top}h${round(width)}v${round(BAR_HEIGHT * row)}h${-round(width)}z`;
  };
  const bars = points.map(({ value = 0 }, index) => bar(index, (value / most) * WIDTH));
  const tracks = points.map((_, index) => bar(index, WIDTH));
  const svg = chartSvg(parts, {
    description: points.map(({ label, value = 0 }) => `${label}: ${format(value)}`).join(". "),
    width: WIDTH,
    content: html`<path class="track" d="${tracks.join("")}"/>
<path class="bars" d="${bars.join("")}"/>`,
  });
  const rows = points.map(
    ({ label, value = 0 }) =>
      html`<li><span class="ranked-label">${label}</span>
<span class="money">${format(value)}</span></li>\n`,
  );
  const plot = html`<div class="ranked-plot">${svg}<ol aria-hidden="true">\n${rows}</ol></div>`;
  return chartFigure({ ...parts, points }, { plot, className: "ranked", isEmpty: false });
}
