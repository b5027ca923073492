/** Axes: round steps that hold the values, and which labels fit below a plot. Pure arithmetic. */

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** From low to high. */
  readonly ticks: readonly number[];
}

const STEPS_WANTED = 4;
/** Of a power of ten. */
const NICE_STEPS = [1, 2, 2.5, 5, 10];

/** From zero to a round number that holds all values. */
export function scaleFromZero(values: readonly number[]): Scale {
  return scaleBetween(0, Math.max(0, ...values));
}

/** Round numbers around both. */
export function scaleBetween(from: number, to: number): Scale {
  const span = to > from ? to - from : Math.abs(to) || 1;
  const step = stepOf(span / STEPS_WANTED);
  const low = Math.floor(from / step) * step;
  const ticks = [low];
  for (let next = 1; (ticks.at(-1) ?? 0) < to || ticks.length < 2; next++) {
    ticks.push(precise(low + next * step));
  }
  return { low, high: ticks.at(-1) ?? 0, ticks };
}

/** How far up a value stands, from 0 to 1. */
export function heightOf(value: number, { low, high }: Scale): number {
  return (value - low) / (high - low);
}

/** Short figures for ticks: "1.5K", "2M". */
export function compactText(value: number): string {
  return COMPACT.format(value);
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** All of a few; of many the first, the middle and the last. */
export function labelsOf(labels: readonly string[], most: number): readonly string[] {
  if (labels.length <= most) return labels;
  const middle = labels[Math.floor((labels.length - 1) / 2)] ?? "";
  return [labels[0] ?? "", middle, labels.at(-1) ?? ""];
}

function stepOf(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = NICE_STEPS.find((step) => step * power >= rough * 0.999) ?? 10;
  return precise(nice * power);
}

/** Steps like 0.1 do not add up in binary; twelve digits are more than an axis shows. */
function precise(value: number): number {
  return Number(value.toPrecision(12));
}
