/**
 * What a payment and a webhook cost, and what follows for servers of some sizes: measured
 * microseconds, multiplied.
 */

import type { Cost } from "../../bench/budget/cost.ts";
import type { Measured } from "./measured.ts";
import { figureTable } from "./tables-of-markdown.ts";

const CORES = [8, 32, 96];
/** What is planned with: a server that is busier answers late. */
const BUSY_PART = 0.7;
const WORKER = ["Node: worker", "PostgreSQL: for the worker"];
const REQUEST = "Payment request";
const CHECKOUT = "Whole checkout";
const WITHOUT_A_RULE = "without a rule";
const SKETCH = `\
Without a rule: a sketch that writes the same rows into the same tables, with every index and no
check, trigger, limit or ledger, in one process. It is what today's tables cost by themselves.`;
/** Numbers of events that each brings. */
const EVENTS = { [REQUEST]: 1, [CHECKOUT]: 2 };

export function renderCosts({ about, at, costs }: NonNullable<Measured["budget"]>): string {
  const rows = costs.map((cost) => [
    cost.what.toLowerCase(),
    ...["Node: web", "Node: worker"].map((part) => whole(cost.micros[part] ?? 0)),
    whole(postgresMicros(cost)),
    whole(allMicros(cost)),
    whole(cost.walBytes),
    ...[cost.rowsInserted, cost.rowsUpdated, cost.rowsDeleted].map((count) => count.toFixed(1)),
  ]);
  const head = [
    ...["for one", "µs of Node, web", "of Node, worker", "of PostgreSQL", "together"],
    ...["bytes of WAL", "rows inserted", "updated", "deleted"],
  ];
  const where = `${about.cpu}, ${about.cores} cores, ${at}, commit ${about.commit}.`;
  const sketches = costs.some(({ what }) => what.endsWith(WITHOUT_A_RULE)) ? `\n\n${SKETCH}` : "";
  return `${figureTable(head, rows)}${sketches}\n\n${where}`;
}

export function renderCores(costs: readonly Cost[]): string {
  const [request, checkout] = [REQUEST, CHECKOUT].map((what) => costOf(costs, what));
  if (request === undefined || checkout === undefined) throw new Error("a cost is not measured");
  const eventsPerSecond = 1e6 / sumOf(request, (part) => WORKER.includes(part));
  const rows = CORES.flatMap((cores) =>
    ([REQUEST, CHECKOUT] as const).map((what) => {
      const cost = what === REQUEST ? request : checkout;
      const byCores = (BUSY_PART * cores * 1e6) / allMicros(cost);
      const byNumbering = eventsPerSecond / EVENTS[what];
      const carried = Math.min(byCores, byNumbering);
      return [
        String(cores),
        what.toLowerCase(),
        round2(byCores),
        round2(byNumbering),
        byCores < byNumbering ? "processors" : "numbering of events",
        `${round2((carried * cost.walBytes) / 1e6)} MB/s`,
      ];
    }),
  );
  const head = [
    ...["cores", "what", "a second by processors", "by numbering of events"],
    ...["gives way first", "WAL then"],
  ];
  return figureTable(head, rows);
}

function costOf(costs: readonly Cost[], what: string): Cost | undefined {
  return costs.find((cost) => cost.what === what);
}

/** Without the clients, who are elsewhere, and without other programs. */
function allMicros(cost: Cost): number {
  return sumOf(cost, (part) => part.startsWith("Node: ") || part.startsWith("PostgreSQL: "));
}

function postgresMicros(cost: Cost): number {
  return sumOf(cost, (part) => part.startsWith("PostgreSQL: "));
}

/** What the bench itself asked of PostgreSQL was a merchant's, or nobody's. */
function sumOf({ micros }: Cost, counts: (part: string) => boolean): number {
  return Object.entries(micros)
    .filter(([part]) => counts(part) && part !== "PostgreSQL: for the bench")
    .reduce((sum, [, us]) => sum + us, 0);
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString("en");
}

/** Two digits are all that a plan carries. */
function round2(figure: number): string {
  return Number(figure.toPrecision(2)).toLocaleString("en");
}
