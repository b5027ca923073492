/** Counts and times every request, by route and status, and writes one log line for each. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, Histogram } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Log } from "../log.ts";

collectDefaultMetrics();

const requests = new Counter({
  name: "windward_http_requests_total",
  help: "Requests answered, by route and status.",
  labelNames: ["method", "route", "status"],
});

const durations = new Histogram({
  name: "windward_http_request_seconds",
  help: "Time from the first byte of a request to the end of its answer, by route.",
  labelNames: ["route"],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** What is counted of one method on one path: by status, because there are few. */
export interface Measured {
  readonly method: string;
  /** The template, never the address: addresses hold ids and tokens. */
  readonly path: string;
  readonly byStatus: Map<number, Series>;
}

interface Series {
  readonly count: Counter.Internal;
  readonly duration: Histogram.Internal<"route">;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined when it found no route. */
    measured: Measured | undefined;
  }
}

export function measured(method: string, path: string): Measured {
  return { method, path, byStatus: new Map() };
}

export function measureRequests(app: FastifyInstance, log: Log): void {
  const nowhere = new Map<string, Measured>();
  app.decorateRequest("measured", undefined);
  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const found = request.measured ?? nowhere.get(method) ?? measured(method, "none");
    if (request.measured === undefined) nowhere.set(method, found);
    measure(found, request, reply, log);
    done();
  });
}

function measure(found: Measured, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { statusCode: status, elapsedTime } = reply;
  const series = seriesOf(found, status);
  series.count.inc();
  series.duration.observe(elapsedTime / SECOND_MS);
  if (!log.isLevelEnabled("info")) return;
  const ms = Math.round(elapsedTime * 100) / 100;
  const { method, path: route } = found;
  const account = request.caller?.accountNumber;
  log.info({ reqId: request.id, method, route, status, ms, account }, "answered");
}

/** Finding a series by its labels costs more than counting. */
function seriesOf({ method, path, byStatus }: Measured, status: number): Series {
  const known = byStatus.get(status);
  if (known !== undefined) return known;
  const made = {
    count: requests.labels(method, path, String(status)),
    duration: durations.labels(path),
  };
  byStatus.set(status, made);
  return made;
}
