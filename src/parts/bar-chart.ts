/** Amounts over time, one bar a day. */

import { type Html, html } from "../kit/html.ts";
import {
  type ChartParts,
  chartFigure,
  chartPlot,
  chartSvg,
  describePoints,
  gridLines,
  hitArea,
  PLOT_HEIGHT,
  round,
} from "./chart-frame.ts";
import { compactText, heightOf, labelsOf, scaleFromZero } from "./chart-scale.ts";

const SLOT = 10;
const GAP = 2;
/** One bar alone would fill the plot. */
const SLOTS_MIN = 7;
const LABELS_MAX = 7;

export interface BarChartParts extends ChartParts {
  readonly formatTick?: (value: number) => string;
}

export function barChart(parts: BarChartParts): Html {
  const { points, formatTick = compactText } = parts;
  const values = points.map(({ value }) => value ?? 0);
  const isEmpty = values.every((value) => value === 0);
  const scale = scaleFromZero(isEmpty ? [] : values);
  const slots = Math.max(points.length, SLOTS_MIN);
  const width = slots * SLOT;
  const bars = values.map((value, index) => {
    const height = round(heightOf(value, scale) * PLOT_HEIGHT);
    const x = index * SLOT + GAP / 2;
    return height === 0 ? "" : `M${x} ${PLOT_HEIGHT}v${-height}h${SLOT - GAP}v${height}z`;
  });
  const hits = points.map((point, index) =>
    hitArea(point, { x: index * SLOT, width: SLOT, format: parts.format }),
  );
  const ticks = isEmpty ? [0, 0] : scale.ticks;
  const svg = chartSvg(parts, {
    description: describePoints(parts),
    width,
    content: html`${gridLines(ticks.length, width)}
<path class="bars" d="${bars.join("")}"/>
${hits}`,
  });
  const plot = chartPlot({
    svg,
    ticks: isEmpty ? ["", formatTick(0)] : ticks.toReversed().map(formatTick),
    ...labelling(points, slots),
    empty: isEmpty ? (parts.empty ?? "Nothing in this period") : undefined,
  });
  return chartFigure(parts, { plot, className: "bar-chart", isEmpty });
}

/** A short row of bars stands on the left, so each has its label below it. */
function labelling(points: ChartParts["points"], slots: number) {
  const labels = labelsOf(
    points.map(({ label }) => label),
    LABELS_MAX,
  );
  if (points.length > LABELS_MAX) return { labels };
  const blank = Array.from({ length: slots - points.length }, () => "");
  return { labels: [...labels, ...blank], isSlotted: true };
}
