/**
 * Counts and times every request, by route and status, and writes one log line for each.
 *
 * Plain numbers, turned into metrics when they are scraped: prom-client sorts and joins the labels
 * anew with every request, which costs a tenth of a small one.
 */

import { collectDefaultMetrics, type Metric, register } from "prom-client";
import { SECOND_MS } from "../../../kit/clock.ts";
import type { Log } from "../../log.ts";
import type { Request } from "../request.ts";

/** In milliseconds; the last has no end. */
const BUCKETS_UP_TO = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, Infinity];

/** The path of requests that found no route, or were refused before it mattered. */
export const NO_ROUTE = "none";

/** What is counted of one method on one path: by status, because there are few. */
export interface Measured {
  readonly method: string;
  /** The template, never the address: addresses hold ids and tokens. */
  readonly path: string;
  readonly byStatus: Map<number, Tally>;
}

interface Tally {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  count: number;
  totalMs: number;
  /** How many took at most so long and longer than the bucket before. */
  readonly buckets: number[];
}

const known = new Map<string, Measured>();
const tallies: Tally[] = [];

/** The same method and path share their numbers. */
export function measured(method: string, path: string): Measured {
  const name = `${method} ${path}`;
  const found = known.get(name) ?? { method, path, byStatus: new Map() };
  known.set(name, found);
  return found;
}

export function countAnswer(of: Measured, status: number, elapsedMs: number): void {
  const tally = of.byStatus.get(status) ?? addTally(of, status);
  let at = 0;
  while (elapsedMs > (BUCKETS_UP_TO[at] ?? Infinity)) at += 1;
  tally.count += 1;
  tally.totalMs += elapsedMs;
  tally.buckets[at] = (tally.buckets[at] ?? 0) + 1;
}

function addTally({ method, path, byStatus }: Measured, status: number): Tally {
  const labels = { method, route: path, status: String(status) };
  const tally = { labels, count: 0, totalMs: 0, buckets: BUCKETS_UP_TO.map(() => 0) };
  byStatus.set(status, tally);
  tallies.push(tally);
  return tally;
}

export function logAnswer(
  log: Log,
  { method, path: route }: Measured,
  { id: reqId, caller }: Request,
  answered: {
    readonly status: number;
    readonly elapsedMs: number;
    readonly traceId?: string | undefined;
  },
): void {
  if (!log.isLevelEnabled("info")) return;
  const { status, elapsedMs, traceId: trace_id } = answered;
  const ms = Math.round(elapsedMs * 100) / 100;
  const account = caller?.accountNumber;
  log.info({ reqId, method, route, status, ms, account, trace_id }, "answered");
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

collectDefaultMetrics();
registerValues("counter", "windward_http_requests_total", {
  help: "Requests answered, by route and status.",
  values: () => tallies.map(({ labels, count }) => ({ labels: { ...labels }, value: count })),
});
registerValues("histogram", "windward_http_request_seconds", {
  help: "Time from a request to its answer, by route.",
  values: durations,
});

/** The registry asks each metric that it knows to `get` itself. */
function registerValues(
  type: "counter" | "histogram",
  name: string,
  { help, values }: { help: string; values: (name: string) => Value[] },
): void {
  const get = async () => ({ name, help, type, values: values(name), aggregator: "sum" });
  register.registerMetric({ name, get } as unknown as Metric);
}

function durations(name: string): Value[] {
  const routes = Map.groupBy(tallies, ({ labels }) => labels.route);
  return [...routes].flatMap(([route, own]) => {
    let soFar = 0;
    const buckets = BUCKETS_UP_TO.map((upTo, at) => {
      for (const tally of own) soFar += tally.buckets[at] ?? 0;
      const le = upTo === Infinity ? "+Inf" : upTo / SECOND_MS;
      return { labels: { le, route }, value: soFar, metricName: `${name}_bucket` };
    });
    const seconds = own.reduce((sum, { totalMs }) => sum + totalMs, 0) / SECOND_MS;
    const labels = { route };
    return [
      ...buckets,
      { labels, value: seconds, metricName: `${name}_sum` },
      { labels, value: soFar, metricName: `${name}_count` },
    ];
  });
}
