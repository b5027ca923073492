/** For operators: is the process alive, may it be given traffic, how is it doing. */

import { register } from "prom-client";
import { createBatcher } from "../../../kit/batch.ts";
import { Unavailable } from "../../../kit/errors.ts";
import { saidBeside, saidOnly } from "../../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../../kit/schema.ts";
import type { Infra } from "../../context.ts";
import { now } from "../../db/clock.ts";
import { ok } from "../answer.ts";
import { publicRoute, type Route } from "../route.ts";

const PROBES_MAX = 10_000;

const fine = { about: "Yes", body: saidOnly() };

/** What is said of the services behind this one; none of them makes it unready. */
export interface ReadyDetails<Ctx> {
  readonly fields: Readonly<Record<string, JsonSchema>>;
  read(ctx: Ctx): object;
}

export function healthRoutes<Ctx extends Infra>(
  isDraining: () => boolean,
  details: ReadyDetails<Ctx>,
): Route<Ctx>[] {
  // Public and without a limit, so requests at the same time share one statement.
  const probe = createBatcher<Ctx, Date>({
    sizeMax: PROBES_MAX,
    async run(askers) {
      const [ctx] = askers;
      const time = ctx === undefined ? undefined : await now(ctx.db);
      return askers.map(() => time as Date);
    },
  });
  return [
    publicRoute({
      method: "GET",
      path: "/livez",
      summary: "Is the process alive?",
      limit: "none",
      answers: { 200: fine },
      async run() {
        return ok();
      },
    }),
    publicRoute({
      method: "GET",
      path: "/readyz",
      summary: "May it be given traffic?",
      limit: "none",
      answers: { 200: { about: "Yes", body: saidBeside(details.fields) } },
      async run(ctx: Ctx) {
        if (isDraining()) throw new Unavailable({ cause: "the process is stopping" });
        await probe(ctx);
        return ok(details.read(ctx));
      },
    }),
  ];
}

/** On the public port only where no port of its own is set; never in production. */
export const metricsRoute = publicRoute({
  method: "GET",
  path: "/metrics",
  summary: "Counters and timings for Prometheus",
  limit: "none",
  answers: { 200: { about: "Text", body: Type.String(), contentType: "text/plain" } },
  async run() {
    return { status: 200, body: await register.metrics(), contentType: register.contentType };
  },
});
