/** A rate over time: a line with a dot for each measurement, and gaps where there was none. */

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
import {
  compactText,
  heightOf,
  labelsOf,
  type Scale,
  scaleBetween,
  scaleFromZero,
} from "./chart-scale.ts";

const SLOT = 10;
const DOTS_MAX = 31;
const LABELS_MAX = 7;

export interface LineChartParts extends ChartParts {
  readonly formatTick?: (value: number) => string;
  /** The axis goes from 0 to it whatever the values are: 1 for a rate. */
  readonly upTo?: number;
}

export function lineChart(parts: LineChartParts): Html {
  const { points, formatTick = compactText, upTo } = parts;
  const values = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const isEmpty = values.length === 0;
  const scale = scaleOf(values, upTo);
  const width = Math.max(points.length, 1) * SLOT;
  const { line, dots } = pathsOf(points, scale);
  const hits = points.map((point, index) =>
    hitArea(point, { x: index * SLOT, width: SLOT, format: parts.format }),
  );
  const svg = chartSvg(parts, {
    description: describePoints(parts),
    width,
    content: html`${gridLines(scale.ticks.length, width)}
<path class="line" d="${line}"/><path class="dots" d="${dots}"/>
${hits}`,
  });
  const plot = chartPlot({
    svg,
    ticks: scale.ticks.toReversed().map((tick) => (isEmpty ? "" : formatTick(tick))),
    labels: labelsOf(
      points.map(({ label }) => label),
      LABELS_MAX,
    ),
    isSlotted: points.length <= LABELS_MAX,
    empty: isEmpty ? (parts.empty ?? "Nothing in this period") : undefined,
  });
  return chartFigure(parts, { plot, className: "line-chart", isEmpty });
}

/** Around the values, with some room when all are alike. */
function scaleOf(values: readonly number[], upTo: number | undefined): Scale {
  if (values.length === 0) return { low: 0, high: 1, ticks: [0, 1] };
  if (upTo !== undefined) return scaleFromZero([upTo]);
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (least < most) return scaleBetween(least, most);
  return scaleBetween(least === 0 ? 0 : least * 0.9, most === 0 ? 1 : most);
}

/**
 * A path of no length with round ends is a dot that no stretching makes an ellipse. A dot without
 * neighbours stands on a stem, or nothing would tie it to its day and its height.
 */
function pathsOf(points: ChartParts["points"], scale: Scale) {
  const hasDots = points.length <= DOTS_MAX;
  let line = "";
  let dots = "";
  points.forEach(({ value }, index) => {
    if (value === undefined) return;
    const x = index * SLOT + SLOT / 2;
    const y = round((1 - heightOf(value, scale)) * PLOT_HEIGHT);
    const follows = points[index - 1]?.value !== undefined;
    const isAlone = !follows && points[index + 1]?.value === undefined;
    if (isAlone) line += `M${x} ${PLOT_HEIGHT}V${y}`;
    else line += `${follows ? "L" : "M"}${x} ${y}`;
    if (hasDots || isAlone) dots += `M${x} ${y}h0`;
  });
  return { line, dots };
}
