/**
 * Draws how near each goal is, for the README: a bar for each, on a scale of powers of ten, because
 * some are met fifteen times over and some are far off. A missed goal is drawn as openly as others.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { escapeXml } from "../../src/kit/escape-xml.ts";
import { type Goal, round, verdictOf } from "./report.ts";

const FILE = fileURLToPath(new URL("../../docs/images/bench.svg", import.meta.url));
const ROW = 26;
const TOP = 64;
const LEFT = 310;
const BAR_MAX = 330;
const WIDTH = 910;
const DARK = "#12263a";
const GREY = "#5b6b7b";
const HEADING = { "font-size": 16, "font-weight": 600, fill: DARK };
const DASHED = { stroke: DARK, "stroke-dasharray": "3 3" };
const ROOT = {
  xmlns: "http://www.w3.org/2000/svg",
  "font-family": "system-ui, sans-serif",
  "font-size": 13,
  role: "img",
  "aria-labelledby": "title",
};
const COLOURS = { pass: "#1a7f5a", unsure: GREY, SHORT: "#b3541e" };
/** From a hundredth of the goal to a hundred times it. */
const POWERS = 2;

/** Gives the path of the file. */
export function drawChart(goals: readonly Goal[], machine: Record<string, unknown>): string {
  const numbered = worstOfEach(goals.filter(({ number }) => number !== undefined));
  const height = TOP + numbered.length * ROW + 28;
  const middle = LEFT + BAR_MAX / 2;
  const { cores, node, commit } = machine;
  const lines = [
    tag("svg", { ...ROOT, viewBox: `0 0 ${WIDTH} ${height}` }),
    tag("title", { id: "title" }, "Each goal of speed: measured beside wanted"),
    tag("rect", { width: WIDTH, height, fill: "#ffffff" }, ""),
    tag("text", { x: 16, y: 26, ...HEADING }, "Measured beside the goal"),
    tag(
      "text",
      { x: 16, y: 46, fill: GREY },
      `${cores} cores, Node ${node}, commit ${commit}; right of the line: met; ` +
        "bars in powers of ten, a full one is 100 times",
    ),
    ...numbered.flatMap(barOf),
    tag("line", { x1: middle, x2: middle, y1: TOP - 8, y2: height - 24, ...DASHED }, ""),
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

function barOf(goal: Goal, at: number): string[] {
  const y = TOP + at * ROW;
  const power = Math.max(-POWERS, Math.min(POWERS, Math.log10(reached(goal))));
  const middle = LEFT + BAR_MAX / 2;
  const length = Math.max(2, (Math.abs(power) / POWERS) * (BAR_MAX / 2));
  const x = power < 0 ? middle - length : middle;
  const colour = COLOURS[verdictOf(goal)];
  const sign = "atLeast" in goal.goal ? `≥ ${goal.goal.atLeast}` : `< ${goal.goal.below}`;
  const figure = `${round(goal.measured)} ${goal.unit} (goal ${sign})`;
  return [
    tag("text", { x: 16, y: y + 14, fill: DARK }, `${goal.number} ${goal.what}`),
    tag("rect", { x, y: y + 3, width: length, height: 14, rx: 2, fill: colour }, ""),
    tag("text", { x: LEFT + BAR_MAX + 12, y: y + 14, fill: GREY }, figure),
  ];
}

/** Left open when it is given nothing to hold. */
function tag(name: string, facts: Record<string, string | number>, held?: string): string {
  const written = Object.entries(facts).map(([fact, value]) => {
    const text = typeof value === "number" ? String(Math.round(value * 10) / 10) : value;
    return ` ${fact}="${escapeXml(text)}"`;
  });
  const opened = `<${name}${written.join("")}>`;
  return held === undefined ? opened : `${opened}${escapeXml(held)}</${name}>`;
}
