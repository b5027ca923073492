/** `/sandbox/clock`: the time in the sandbox, and moving it; in the development stage only. */

import type { Config } from "../../infra/config.ts";
import { ok } from "../../infra/http/answer.ts";
import { demandSandbox } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { moment } from "../../kit/fields/time.ts";
import { saidWith } from "../../kit/response-schema.ts";
import { scopes } from "../../kit/scopes.ts";
import {
  type ClockContext,
  ClockRunsForward,
  demandOne,
  moveSandboxClock,
  SECONDS_AHEAD_MAX,
  TooFarAhead,
  YEARS_AHEAD_MAX,
} from "./move-clock.ts";
import { clockView, readClock, viewClock } from "./sandbox-clock.ts";

export const group = "Sandbox";
export const access = {
  credentials: "either",
  changes: "environment",
  anyScope: scopes("user", "all"),
} as const;

export const notForLive = { about: "With a live API key", refusals: [new NotFound()] };

const readRoute = protectedRoute({
  method: "GET",
  path: "/sandbox/clock",
  group,
  summary: "Read the sandbox's clock",
  about: "Development stage only.",
  access,
  answers: { 200: { about: "The clock", body: saidWith(clockView) }, 404: notForLive },
  async run({ db }: ClockContext, _call, caller) {
    demandSandbox(caller);
    return ok({ data: viewClock(await readClock(db)) });
  },
});

const moveRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/clock",
  group,
  summary: "Move the sandbox's clock",
  about:
    "Development stage only. Deadlines of payments, cards and links, retries and statements " +
    "follow it, in every account; what has become due is done within seconds. Credentials, " +
    "one-time codes, limits on requests and the timestamps of signatures stay on real time. It " +
    `runs forward only, at most ${YEARS_AHEAD_MAX} years ahead; restoring a snapshot brings its ` +
    "time back.",
  access,
  idempotent: true,
  body: {
    advance: described(
      optional(integer({ min: 0, max: SECONDS_AHEAD_MAX })),
      "By so many seconds. Either this or `set`.",
      180,
    ),
    set: described(optional(moment()), "To that time."),
  },
  answers: {
    200: { about: "The clock as it is now", body: saidWith(clockView) },
    400: {
      about: "Not one of advance and set, or a wrong one",
      refusals: [
        () => demandOne({ advance: undefined, set: undefined }),
        () => demandOne({ advance: 1, set: new Date(0) }),
      ],
    },
    404: notForLive,
    409: {
      about:
        "The time is in the past or too far ahead, or the same Idempotency-Key is still running",
      refusals: [new ClockRunsForward(), new TooFarAhead()],
    },
  },
  async run(ctx: ClockContext, { body, once }, caller) {
    demandSandbox(caller);
    return once(async (tx) =>
      ok({ data: viewClock(await moveSandboxClock(ctx, tx, caller, body)) }),
    );
  },
});

export function sandboxClockRoutes({ isMovable }: Pick<Config, "isMovable">) {
  return (isMovable ? [readRoute, moveRoute] : []) as readonly Route<ClockContext>[];
}
