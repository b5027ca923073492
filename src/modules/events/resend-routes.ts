/** Events that are sent again, for clients that follow the feed (Decision 0109). */

import type { Infra } from "../../infra/context.ts";
import { JSON_TYPE } from "../../infra/http/answer.ts";
import { environmentOf } from "../../infra/http/caller.ts";
import { protectedRoute } from "../../infra/http/route.ts";
import { described } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { text } from "../../kit/fields/text.ts";
import { pageFields } from "../../kit/page.ts";
import {
  countSchema,
  EXAMPLE,
  said,
  saidWith,
  textSchema,
  timestampSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { eventView, SEQUENCE_MAX } from "./event.ts";
import { environmentField, isEmptyPoll } from "./feed-fields.ts";
import { listResends } from "./list-resends.ts";
import { KEPT_DAYS } from "./prune-resends.ts";
import { resendEvent } from "./resend-event.ts";

const EVENT_ID_LENGTH_MAX = 64;

const resent = Type.Object(
  {
    number: countSchema("Of the resend, not of the event; with gaps.", 3, { minimum: 1 }),
    resent_at: timestampSchema("When it was sent again."),
    event: eventView,
  },
  { title: "ResentEvent" },
);

const listResentRoute = protectedRoute({
  method: "GET",
  path: "/events/resent",
  group: "Events",
  summary: "List events that were sent again",
  about:
    "What was resent or replayed to a webhook endpoint, or sent again with `POST " +
    `/events/{id}/resend\`, oldest first, of the last ${KEPT_DAYS} days. Remember the last ` +
    "`number` and ask for what came `after` it. `windward listen` follows it.",
  access: { credentials: "either", anyScope: scopes("user", "retrieve") },
  query: {
    environment: environmentField,
    after: described(
      integer({ min: 0, max: SEQUENCE_MAX, default: 0 }),
      "The `number` of the last one that is known already.",
      0,
    ),
    page_size: pageFields.page_size,
  },
  answers: {
    200: {
      about: "The events",
      body: Type.Object({
        message: said("OK"),
        data: Type.Array(resent, { description: "Oldest first." }),
        meta: Type.Object(
          {
            after: countSchema("As it was asked.", 0),
            page_size: countSchema("As it was asked.", 20),
            last_number: countSchema("That of the newest one, 0 without any.", 3),
          },
          { description: "Where this page stands." },
        ),
      }),
    },
  },
  async run({ db }: Infra, { query, url }, caller) {
    const { after, page_size: pageSize } = query;
    const environment = environmentOf(caller, query.environment);
    const { accountNumber } = caller;
    const page = { after, pageSize };
    const { rows, lastNumber } = await listResends(db, { accountNumber, environment }, page);
    const meta = { after, page_size: pageSize, last_number: lastNumber };
    const body = `{"message":"OK","data":[${rows.join()}],"meta":${JSON.stringify(meta)}}`;
    return { status: 200, body, contentType: JSON_TYPE, isEmptyPoll: isEmptyPoll(url, rows) };
  },
});

const resendRoute = protectedRoute({
  method: "POST",
  path: "/events/{id}/resend",
  group: "Events",
  summary: "Send an event again to feed clients such as `windward listen`",
  about:
    "It appears in `GET /events/resent`, which `windward listen` follows. To send it to an " +
    "endpoint again, resend its delivery.",
  access: { credentials: "either", changes: "environment", anyScope: scopes("user", "update") },
  idempotent: true,
  params: {
    id: described(text({ max: EVENT_ID_LENGTH_MAX }), "The event's `id`.", EXAMPLE.eventId),
  },
  query: { environment: environmentField },
  answers: {
    202: {
      about: "It is in the list",
      body: saidWith(Type.Object({ id: textSchema("The event's.", EXAMPLE.eventId) }), "Accepted"),
    },
    404: { about: "No such event of this account within the credential's reach" },
  },
  run: (_ctx: Infra, { params, query, once }, caller) =>
    once(async (tx) => {
      const wanted = { eventId: params.id, environment: query.environment };
      const data = await resendEvent(tx, caller, wanted);
      return { status: 202, body: { message: "Accepted", data } };
    }),
});

export const resendRoutes = [listResentRoute, resendRoute];
