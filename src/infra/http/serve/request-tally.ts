/**
 * Plain numbers that count requests and their times, turned into metrics when they are scraped.
 *
 * By hand, because prom-client sorts and joins the labels anew with every request, which costs a
 * tenth of a small one; adding to a number costs nothing.
 */

import type { Metric } from "prom-client";
import { SECOND_MS } from "../../../kit/clock.ts";

/** In milliseconds; the last has no end. */
const BUCKETS_UP_TO = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, Infinity];

interface Labels {
  readonly method: string;
  readonly route: string;
  readonly status: string;
}

export interface Tally {
  add(elapsedMs: number): void;
}

interface Kept {
  readonly labels: Labels;
  count: number;
  totalMs: number;
  /** How many took at most so long and longer than the bucket before. */
  readonly buckets: number[];
}

const kept = new Map<string, Kept>();

/** One for each combination of labels. */
export function createTally(labels: Labels): Tally {
  const name = Object.values(labels).join(" ");
  const tally = kept.get(name) ?? {
    labels,
    count: 0,
    totalMs: 0,
    buckets: BUCKETS_UP_TO.map(() => 0),
  };
  kept.set(name, tally);
  return {
    add(elapsedMs) {
      let at = 0;
      while (elapsedMs > (BUCKETS_UP_TO[at] ?? Infinity)) at += 1;
      tally.count += 1;
      tally.totalMs += elapsedMs;
      tally.buckets[at] = (tally.buckets[at] ?? 0) + 1;
    },
  };
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** For prom-client's registry, which asks each metric it knows to `get` itself. */
export function talliesAsMetrics(): Metric[] {
  return [
    asMetric("counter", "windward_http_requests_total", counts, {
      help: "Requests answered, by route and status.",
    }),
    asMetric("histogram", "windward_http_request_seconds", durations, {
      help: "Time from a request to its answer, by route.",
    }),
  ];
}

function asMetric(
  type: "counter" | "histogram",
  name: string,
  values: (name: string) => Value[],
  { help }: { help: string },
): Metric {
  const get = async () => ({ name, help, type, values: values(name), aggregator: "sum" });
  return { name, get } as unknown as Metric;
}

function counts(): Value[] {
  return [...kept.values()].map(({ labels, count }) => ({ labels: { ...labels }, value: count }));
}

function durations(name: string): Value[] {
  const routes = Map.groupBy(kept.values(), ({ labels }) => labels.route);
  return [...routes].flatMap(([route, tallies]) => {
    const sumOf = (pick: (tally: Kept) => number) =>
      tallies.reduce((sum, tally) => sum + pick(tally), 0);
    let soFar = 0;
    const buckets = BUCKETS_UP_TO.map((upTo, at) => {
      soFar += sumOf(({ buckets }) => buckets[at] ?? 0);
      const le = upTo === Infinity ? "+Inf" : upTo / SECOND_MS;
      return { labels: { le, route }, value: soFar, metricName: `${name}_bucket` };
    });
    const labels = { route };
    return [
      ...buckets,
      {
        labels,
        value: sumOf(({ totalMs }) => totalMs) / SECOND_MS,
        metricName: `${name}_sum`,
      },
      { labels, value: soFar, metricName: `${name}_count` },
    ];
  });
}
