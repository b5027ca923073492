/** Counts and times every request, by route and status, and writes one log line for each. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { collectDefaultMetrics, register } from "prom-client";
import type { Log } from "../../log.ts";
import { createTally, type Tally, talliesAsMetrics } from "./request-tally.ts";

collectDefaultMetrics();
for (const metric of talliesAsMetrics()) register.registerMetric(metric);

/** What is counted of one method on one path: by status, because there are few. */
export interface Measured {
  readonly method: string;
  /** The template, never the address: addresses hold ids and tokens. */
  readonly path: string;
  readonly byStatus: Map<number, Tally>;
  /** Counted but without a line in the log. */
  readonly isQuiet?: boolean;
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
  countAnswer(found, status, elapsedTime);
  if (found.isQuiet || !log.isLevelEnabled("info")) return;
  const ms = Math.round(elapsedTime * 100) / 100;
  const { method, path: route } = found;
  const account = request.caller?.accountNumber;
  log.info({ reqId: request.id, method, route, status, ms, account }, "answered");
}

export function countAnswer(found: Measured, status: number, ms: number): void {
  tallyOf(found, status).add(ms);
}

function tallyOf({ method, path, byStatus }: Measured, status: number): Tally {
  const known = byStatus.get(status);
  if (known !== undefined) return known;
  const made = createTally({ method, route: path, status: String(status) });
  byStatus.set(status, made);
  return made;
}
