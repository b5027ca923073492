/** The routes of deliveries: listing, resending and replaying them (Decision 0033). */

import type { Infra } from "../../infra/context.ts";
import { plainJson } from "../../infra/http/answer.ts";
import { protectedRoute } from "../../infra/http/route.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional, withDefault } from "../../kit/fields/field.ts";
import { flag } from "../../kit/fields/flag.ts";
import { integer } from "../../kit/fields/number.ts";
import { moment } from "../../kit/fields/time.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import {
  countSchema,
  EXAMPLE,
  flagSchema,
  orNull,
  saidWith,
  timestampSchema,
  withCommas,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { SEQUENCE_MAX } from "../events/event.ts";
import { deliveryView, STATES, showDeliveries } from "./delivery.ts";
import { findEndpoint } from "./endpoint.ts";
import {
  accepted,
  can,
  disabled,
  eventsField,
  idField,
  ofEndpoint,
  unknown,
  wantedOf,
} from "./endpoint-fields.ts";
import { LISTED_MAX, listDeliveries } from "./list-deliveries.ts";
import { EVENTS_AT_ONCE_MAX, replayEvents, SPAN_CROSSED } from "./replay-events.ts";
import { resendDelivery } from "./resend-delivery.ts";

const sinceField = described(
  moment(),
  "From then on, that moment included.",
  "2026-11-01T00:00:00Z",
);
const untilField = described(moment(), "Until then, that moment included.", "2026-11-02T00:00:00Z");

const listRoute = protectedRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  ...ofEndpoint,
  summary: "List what was sent to a webhook endpoint",
  about:
    `Newest first, the newest ${withCommas(LISTED_MAX)} of those asked for: \`until\` ` +
    "leads to older ones. What has ended is kept for 30 days.",
  access: { credentials: "either", anyScope: scopes("user", "retrieve") },
  query: {
    ...ofEndpoint.query,
    state: described(optional(oneOf(STATES)), "Only those that came to this.", "failed"),
    since: optional(sinceField),
    until: optional(untilField),
    ...pageFields,
  },
  answers: {
    200: { about: "The deliveries", body: pageAnswer(deliveryView) },
    404: unknown,
  },
  async run({ db }: Infra, { params, query, url }, caller) {
    const { endpoint_id: endpointId } = await findEndpoint(db, caller, wantedOf(params, query));
    const { state, since, until } = query;
    const { ids, total } = await listDeliveries(db, { endpointId, state, since, until }, query);
    return plainJson(pageBody(query, { rows: await showDeliveries(db, ids), total }, url));
  },
});

const resendRoute = protectedRoute({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{delivery}/resend",
  ...ofEndpoint,
  summary: "Send one delivery again",
  about: "The same event under the same id, with a new time, signature and round of attempts.",
  access: can("update"),
  idempotent: true,
  params: { id: idField, delivery: described(idField, "The delivery's `id`.", EXAMPLE.uuid) },
  answers: {
    202: { about: "The delivery, which is due now", body: saidWith(deliveryView, "Accepted") },
    404: { about: "No such endpoint or delivery within the credential's reach" },
    409: disabled,
  },
  async run(_ctx: Infra, { params, query, once }, caller) {
    const deliveryId = params.delivery;
    return once(async (tx) => {
      await resendDelivery(tx, caller, { ...wantedOf(params, query), deliveryId });
      const [data] = await showDeliveries(tx, [deliveryId]);
      return accepted(data);
    });
  },
});

const replayed = Type.Object({
  queued: countSchema("How many will be sent.", 3),
  is_complete: flagSchema("Whether the whole span was looked at.", true),
  next: orNull(
    Type.Object(
      {
        since: timestampSchema("To be sent as `since`."),
        after: countSchema("To be sent as `after`.", 2000),
      },
      { description: "Where to go on; null when it is complete." },
    ),
    null,
  ),
});

export const replayBody = {
  since: sinceField,
  until: optional(untilField),
  events: described(optional(eventsField), "Of those that it is told: only these.", [
    "payment.success",
  ]),
  only_failed: described(
    withDefault(flag(), false),
    "Only what the endpoint has not acknowledged: failed, cancelled, waiting or never sent.",
    true,
  ),
  after: described(
    optional(integer({ min: 0, max: SEQUENCE_MAX })),
    "Of those that happened at `since`, only what has a higher `sequence`.",
    0,
  ),
};

const replayRoute = protectedRoute({
  method: "POST",
  path: "/webhooks/{id}/replay",
  ...ofEndpoint,
  summary: "Send again what happened in a span of time",
  about:
    "By the endpoint's own filter, also what it was never sent. One request looks at " +
    `${withCommas(EVENTS_AT_ONCE_MAX)} events, oldest first; when \`is_complete\` is ` +
    "false, send it again with the `since` and `after` of `next`.",
  access: can("update"),
  idempotent: true,
  body: replayBody,
  answers: {
    202: { about: "What was found is due now", body: saidWith(replayed, "Accepted") },
    400: {
      about: "A field is malformed, or the span ends before it begins",
      refusals: [new FieldsConflict(SPAN_CROSSED)],
    },
    404: unknown,
    409: disabled,
  },
  async run(_ctx: Infra, { params, query, body, once }, caller) {
    const wanted = { ...body, onlyFailed: body.only_failed };
    return once(async (tx) => {
      const { queued, next } = await replayEvents(tx, caller, wantedOf(params, query), wanted);
      return accepted({ queued, is_complete: next === undefined, next: next ?? null });
    });
  },
});

export const deliveryRoutes = [listRoute, resendRoute, replayRoute];
