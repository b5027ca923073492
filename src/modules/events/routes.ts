/** The feed of events (Interface §6). */

import type { Infra } from "../../infra/context.ts";
import { type Answer, JSON_TYPE } from "../../infra/http/answer.ts";
import { environmentOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { described } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { pageFields } from "../../kit/page.ts";
import { countSchema, orNull, said, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { eventView, SEQUENCE_MAX } from "./event.ts";
import { environmentField, isEmptyPoll } from "./feed-fields.ts";
import { type FeedPage, listEvents } from "./list-events.ts";
import { resendRoutes } from "./resend-routes.ts";

const LINK_EXAMPLE = "https://api.example.com/events?after=0&page_size=20";

const listEventsRoute = protectedRoute({
  method: "GET",
  path: "/events",
  group: "Events",
  summary: "List events",
  about:
    "Everything that happened, oldest first. Remember the `sequence` of the last event you have " +
    "dealt with and ask for what came `after` it: nothing is missed and nothing comes twice. " +
    "Each event is byte for byte what webhook endpoints are sent.",
  access: { credentials: "either", anyScope: scopes("user", "retrieve") },
  readsFromStandby: true,
  query: {
    environment: environmentField,
    after: described(
      integer({ min: 0, max: SEQUENCE_MAX, default: 0 }),
      "The `sequence` of the last event that is known already.",
      0,
    ),
    page_size: pageFields.page_size,
  },
  answers: {
    200: {
      about: "The events",
      body: Type.Object({
        message: said("OK"),
        data: Type.Array(eventView, { description: "Oldest first." }),
        meta: Type.Object(
          {
            after: countSchema("As it was asked.", 0),
            page_size: countSchema("As it was asked.", 20),
            last_sequence: countSchema("That of the newest event, 0 without any.", 2),
          },
          { description: "Where this page stands." },
        ),
        links: Type.Object(
          {
            first: textSchema("The beginning of the feed.", LINK_EXAMPLE),
            next: orNull(textSchema("What comes after; null at the end.", LINK_EXAMPLE), null),
          },
          { description: "Other pages." },
        ),
      }),
    },
  },
  async run(_ctx: Infra, { query, url, read }, caller) {
    const { after, page_size: pageSize } = query;
    const { accountNumber } = caller;
    const environment = environmentOf(caller, query.environment);
    const feed = { accountNumber, environment };
    const found = await read((db) => listEvents(db, feed, { after, pageSize }));
    return feedAnswer(found, { after, pageSize, url });
  },
});

/** The bodies are inserted as text, so they stay byte for byte as they were signed. */
function feedAnswer(
  { bodies, lastSequence }: FeedPage,
  { after, pageSize, url }: { after: number; pageSize: number; url: string },
): Answer {
  const end = after + bodies.length;
  const rest = JSON.stringify({
    meta: { after, page_size: pageSize, last_sequence: lastSequence },
    links: {
      first: linkTo(url, 0, pageSize),
      next: bodies.length > 0 && end < lastSequence ? linkTo(url, end, pageSize) : null,
    },
  });
  return {
    status: 200,
    body: `{"message":"OK","data":[${bodies.join()}],${rest.slice(1)}`,
    contentType: JSON_TYPE,
    isEmptyPoll: isEmptyPoll(url, bodies),
  };
}

function linkTo(url: string, after: number, pageSize: number): string {
  const target = new URL(url);
  target.searchParams.set("after", String(after));
  target.searchParams.set("page_size", String(pageSize));
  return target.href;
}

export const eventRoutes: readonly Route<Infra>[] = [listEventsRoute, ...resendRoutes];
