/** Counts and times every request, by route and status, and writes one log line for each. */

import { collectDefaultMetrics, register } from "prom-client";
import type { Log } from "../../log.ts";
import type { Request } from "../request.ts";
import { createTally, type Tally, talliesAsMetrics } from "./request-tally.ts";

collectDefaultMetrics();
for (const metric of talliesAsMetrics()) register.registerMetric(metric);

/** What is counted of one method on one path: by status, because there are few. */
export interface Measured {
  readonly method: string;
  /** The template, never the address: addresses hold ids and tokens. */
  readonly path: string;
  readonly byStatus: Map<number, Tally>;
}

export function measured(method: string, path: string): Measured {
  return { method, path, byStatus: new Map() };
}

const NO_ROUTE = "none";
const withoutRoute = new Map<string, Measured>();

/** For requests that found no route, or were refused before it mattered. */
export function measuredWithoutRoute(method: string): Measured {
  const known = withoutRoute.get(method) ?? measured(method, NO_ROUTE);
  withoutRoute.set(method, known);
  return known;
}

export function countAnswer({ method, path, byStatus }: Measured, status: number, ms: number) {
  let tally = byStatus.get(status);
  if (tally === undefined) {
    tally = createTally({ method, route: path, status: String(status) });
    byStatus.set(status, tally);
  }
  tally.add(ms);
}

export function logAnswer(
  log: Log,
  { method, path: route }: Measured,
  { id: reqId, caller }: Request,
  { status, elapsedMs }: { readonly status: number; readonly elapsedMs: number },
): void {
  if (!log.isLevelEnabled("info")) return;
  const ms = Math.round(elapsedMs * 100) / 100;
  log.info({ reqId, method, route, status, ms, account: caller?.accountNumber }, "answered");
}
