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

declare module "fastify" {
  interface FastifyRequest {
    /** The template, never the address: addresses hold ids and tokens. */
    path: string;
  }
}

export function measureRequests(app: FastifyInstance, log: Log): void {
  // Fastify knows it too, but gathers everything about a route each time it is asked.
  app.decorateRequest("path", "none");
  app.addHook("onResponse", (request, reply, done) => {
    measure(request, reply, log);
    done();
  });
}

function measure(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { path: route } = request;
  const { statusCode: status, elapsedTime } = reply;
  const series = seriesOf(request.method, route, status);
  series.count.inc();
  series.duration.observe(elapsedTime / SECOND_MS);
  if (!log.isLevelEnabled("info")) return;
  const ms = Math.round(elapsedTime * 100) / 100;
  const account = request.caller?.accountNumber;
  log.info({ reqId: request.id, method: request.method, route, status, ms, account }, "answered");
}

interface Series {
  readonly count: Counter.Internal;
  readonly duration: Histogram.Internal<"route">;
}

/** There are few, and finding one by its labels costs more than counting. */
const known = new Map<string, Series>();

function seriesOf(method: string, route: string, status: number): Series {
  const name = `${status} ${method} ${route}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = {
    count: requests.labels(method, route, String(status)),
    duration: durations.labels(route),
  };
  known.set(name, made);
  return made;
}
