/**
 * Draws how near each goal is, for the README: a bar for each, on a scale of powers of ten, because
 * some are met fifteen times over and some are far off. A missed goal is drawn as openly as others.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { escapeXml } from "../../src/kit/escape-xml.ts";
import { type Goal, meets, round } from "./report.ts";

const FILE = fileURLToPath(new URL("../../docs/images/bench.svg", import.meta.url));
const ROW = 26;
const TOP = 64;
const LEFT = 310;
const BAR_MAX = 330;
const WIDTH = 820;
/** From a hundredth of the goal to a hundred times it. */
const POWERS = 2;

/** Where the path of the file is told. */
export function drawChart(goals: readonly Goal[], machine: Record<string, unknown>): string {
  const numbered = worstOfEach(goals.filter(({ number }) => number !== undefined));
  const height = TOP + numbered.length * ROW + 28;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-labelledby="title">`,
    `<title id="title">Each goal of speed: measured beside wanted</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="26" font-size="16" font-weight="600" fill="#12263a">Measured beside the goal</text>`,
    `<text x="16" y="46" fill="#5b6b7b">${escapeXml(`${machine.cores} cores, Node ${machine.node}, commit ${machine.commit}; right of the line: met`)}</text>`,
    ...numbered.map(barOf),
    `<line x1="${LEFT + BAR_MAX / 2}" x2="${LEFT + BAR_MAX / 2}" y1="${TOP - 8}" y2="${height - 24}" stroke="#12263a" stroke-dasharray="3 3"/>`,
    "</svg>",
  ];
  writeFileSync(FILE, `${lines.join("\n")}\n`);
  return FILE;
}

/** Seventeen pages of history are one row: the one that is furthest from its goal. */
function worstOfEach(goals: readonly Goal[]): Goal[] {
  const pages = goals.filter(({ number }) => number === "P6");
  const [worst] = pages.toSorted((a, b) => reached(a) - reached(b));
  const rest = goals.filter(({ number }) => number !== "P6");
  return worst === undefined ? rest : [...rest, worst].toSorted(byNumber);
}

function byNumber(a: Goal, b: Goal): number {
  return (a.number ?? "").localeCompare(b.number ?? "");
}

/** 1: just the goal; 2: twice as good. */
function reached({ measured, goal }: Goal): number {
  return "atLeast" in goal ? measured / goal.atLeast : goal.below / Math.max(measured, 1e-9);
}

function barOf(goal: Goal, at: number): string {
  const y = TOP + at * ROW;
  const power = Math.max(-POWERS, Math.min(POWERS, Math.log10(reached(goal))));
  const middle = LEFT + BAR_MAX / 2;
  const length = Math.max(2, (Math.abs(power) / POWERS) * (BAR_MAX / 2));
  const x = power < 0 ? middle - length : middle;
  const colour = meets(goal) ? "#1a7f5a" : "#b3541e";
  const sign = "atLeast" in goal.goal ? `≥ ${goal.goal.atLeast}` : `< ${goal.goal.below}`;
  const figure = `${round(goal.measured)} of ${sign} ${goal.unit}`;
  return [
    `<text x="16" y="${y + 14}" fill="#12263a">${escapeXml(`${goal.number} ${goal.what}`)}</text>`,
    `<rect x="${x.toFixed(1)}" y="${y + 3}" width="${length.toFixed(1)}" height="14" rx="2" fill="${colour}"/>`,
    `<text x="${LEFT + BAR_MAX + 12}" y="${y + 14}" fill="#5b6b7b">${escapeXml(figure)}</text>`,
  ].join("\n");
}
