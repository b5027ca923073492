/** For operators: is the process alive, may it be given traffic, how is it doing. */

import { register } from "prom-client";
import { Unavailable } from "../../../kit/errors.ts";
import {
  countSchema,
  flagSchema,
  saidBeside,
  saidOnly,
  textSchema,
  wordSchema,
} from "../../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../../kit/schema.ts";
import { CHECKS, type Readiness } from "../../db/readiness.ts";
import type { Answer } from "../answer.ts";
import { ok } from "../answer.ts";
import { publicRoute, type Route } from "../route.ts";

const REFUSAL = new Unavailable({ cause: "not ready" });
const fine = { about: "Yes", body: saidOnly() };

/** What is said of the services behind this one; none of them makes it unready. */
export interface ReadyDetails<Ctx> {
  readonly fields: Readonly<Record<string, JsonSchema>>;
  readonly example: object;
  read(ctx: Ctx): object;
}

const CHECK = {
  check: wordSchema(CHECKS, "What was looked at."),
  ready: flagSchema("Whether it is in order.", true),
  for_seconds: countSchema("How long it has been so.", 86_400),
};
const WHY = textSchema("What is wrong; absent while it is ready.", "The database does not answer.");

const checks = Type.Array(Type.Object({ ...CHECK, why: Type.Optional(WHY) }), {
  description: "What it depends on. It is ready when each of them is.",
  examples: [CHECKS.map((check) => ({ check, ready: true, for_seconds: 86_400 }))],
});
const FAILED = [
  { check: "process", ready: true, for_seconds: 86_400 },
  { check: "database", ready: false, for_seconds: 42, why: "The database does not answer." },
  { check: "migrations", ready: true, for_seconds: 86_400 },
];

export function healthRoutes<Ctx extends { readonly readiness: Readiness }>(
  details: ReadyDetails<Ctx>,
): Route<Ctx>[] {
  const fields = { checks, ...details.fields };
  const message = Type.String({ description: "It may not.", examples: [REFUSAL.message] });
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
      answers: {
        200: { about: "Yes", body: saidBeside(fields) },
        503: {
          about: "No; `checks` say why, and since when",
          body: Type.Object({ message, ...fields }),
          refusals: [REFUSAL],
          showRefusal: (words) => ({ message: words, checks: FAILED, ...details.example }),
          headers: ["Retry-After"],
        },
      },
      async run(ctx: Ctx): Promise<Answer> {
        const found = await ctx.readiness.look();
        const listed = found.map(({ forSeconds, why, ...check }) => ({
          ...check,
          for_seconds: forSeconds,
          ...(why === undefined ? {} : { why }),
        }));
        const answered = { checks: listed, ...details.read(ctx) };
        if (found.every(({ ready }) => ready)) return ok(answered);
        const { status, message, headers, code: error } = REFUSAL;
        return { status, body: { message, ...answered }, headers, error };
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
