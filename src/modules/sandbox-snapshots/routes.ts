/**
 * `/sandbox/snapshots`: keeping the sandbox's state, and going back to it (Decision 0105); in the
 * development stage only.
 */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { created, ok } from "../../infra/http/answer.ts";
import { demandSandbox } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { fixedRefusal, Unavailable } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, field, fieldRefused } from "../../kit/fields/field.ts";
import { asText, text } from "../../kit/fields/text.ts";
import {
  countSchema,
  saidOnly,
  saidWith,
  textSchema,
  timestampSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { access, group, notForLive } from "../sandbox-clock/routes.ts";
import { SNAPSHOTS_MAX, SnapshotExists, type Snapshots, TooManySnapshots } from "./snapshots.ts";

export interface SnapshotContext extends Infra {
  /** Undefined: the database is not the embedded one. */
  readonly snapshots: Snapshots | undefined;
}

class SnapshotsUnavailable extends fixedRefusal("snapshots_unavailable") {}

const NAME = /^[a-z0-9-]{1,40}$/;
const nameField = described(
  withoutCardNumber(
    field({ type: "string", pattern: NAME.source }, (value, name) => {
      const input = asText(value, name);
      if (!NAME.test(input))
        throw fieldRefused(name, "must be 1 to 40 small letters, digits and hyphens");
      return input;
    }),
  ),
  "1 to 40 small letters, digits and hyphens.",
  "before-refunds",
);

/** A name that no snapshot can have is one that none has: 404. */
const params = { name: described(text({ max: 64 }), "Of the snapshot.", "before-refunds") };

const snapshotView = Type.Object(
  {
    name: textSchema("As it was given.", "before-refunds"),
    made_at: timestampSchema("When it was made, in real time."),
    now: timestampSchema("The sandbox's time in it."),
    shift_seconds: countSchema("How far that was ahead.", 0),
    bytes: countSchema("How much room it takes.", 12_582_912),
  },
  { title: "SandboxSnapshot" },
);

const about =
  "Development stage only, and only with the embedded database. A snapshot is of the whole " +
  "service: every account, its sign-ins and keys, and the clock.";

const unavailable = {
  about: "The service has a database that is not its own",
  refusals: [new SnapshotsUnavailable()],
};
const unknown = { about: "No such snapshot, or with a live API key" };
const busy = {
  about: "Another snapshot is being made or restored",
  refusals: [new Unavailable({ cause: "another" })],
};

/** With another server's database we may neither copy it nor end the connections of others. */
function demandSnapshots({ snapshots }: SnapshotContext): Snapshots {
  if (snapshots === undefined) throw new SnapshotsUnavailable();
  return snapshots;
}

const listRoute = protectedRoute({
  method: "GET",
  path: "/sandbox/snapshots",
  group,
  summary: "List snapshots of the sandbox",
  about,
  access,
  answers: {
    200: { about: "Oldest first", body: saidWith(Type.Array(snapshotView)) },
    404: notForLive,
    409: unavailable,
  },
  async run(ctx: SnapshotContext, _call, caller) {
    demandSandbox(caller);
    return ok({ data: await demandSnapshots(ctx).list() });
  },
});

/**
 * Making and restoring take no `Idempotency-Key` and leave no audit entry: both would be rows of
 * the very state that is copied or exchanged. Nor are they missed: a name that exists is 409, and a
 * restore may be repeated.
 */
const makeRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/snapshots",
  group,
  summary: "Make a snapshot of the sandbox",
  about: `${about} While it is made other requests get 503 with \`Retry-After\`.`,
  access,
  body: { name: nameField },
  answers: {
    201: { about: "The snapshot", body: saidWith(snapshotView, "Created") },
    404: notForLive,
    409: {
      about: `There is one of this name, there are ${SNAPSHOTS_MAX}, or the database is not ours`,
      refusals: [new SnapshotExists(), new TooManySnapshots(), new SnapshotsUnavailable()],
    },
    503: busy,
  },
  async run(ctx: SnapshotContext, { body }, caller) {
    demandSandbox(caller);
    return created({ data: await demandSnapshots(ctx).make(body.name) });
  },
});

const restoreRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/snapshots/{name}/restore",
  group,
  summary: "Restore a snapshot of the sandbox",
  about:
    `${about} Everything since then is gone, sign-ins and keys included: if yours is younger, ` +
    "sign in again. Other requests get 503 with `Retry-After` meanwhile. The snapshot stays.",
  access,
  params,
  answers: {
    200: { about: "The snapshot that was restored", body: saidWith(snapshotView) },
    404: unknown,
    409: unavailable,
    503: busy,
  },
  async run(ctx: SnapshotContext, { params }, caller) {
    demandSandbox(caller);
    return ok({ data: await demandSnapshots(ctx).restore(params.name) });
  },
});

const removeRoute = protectedRoute({
  method: "DELETE",
  path: "/sandbox/snapshots/{name}",
  group,
  summary: "Remove a snapshot of the sandbox",
  about,
  access,
  params,
  answers: { 200: { about: "It is gone", body: saidOnly() }, 404: unknown, 409: unavailable },
  async run(ctx: SnapshotContext, { params }, caller) {
    demandSandbox(caller);
    await demandSnapshots(ctx).remove(params.name);
    return ok();
  },
});

export function sandboxSnapshotRoutes({ isMovable }: Pick<Config, "isMovable">) {
  const routes = [listRoute, makeRoute, restoreRoute, removeRoute];
  return (isMovable ? routes : []) as readonly Route<SnapshotContext>[];
}
