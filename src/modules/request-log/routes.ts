/** The request log: what was requested of late, and why it was refused. */

import type { Infra } from "../../infra/context.ts";
import { ok, plainJson } from "../../infra/http/answer.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { text } from "../../kit/fields/text.ts";
import { moment } from "../../kit/fields/time.ts";
import {
  linkTo,
  type PageAsked,
  type PageBody,
  pageAnswer,
  pageBody,
  pageFields,
} from "../../kit/page.ts";
import { EXAMPLE, saidWith, withCommas } from "../../kit/response-schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { KEPT_DAYS_MIN } from "./keep-request-days.ts";
import { LIST_LINES_MAX, listRequests, type RequestPage } from "./list-requests.ts";
import { type ListedRequest, listedRequestSchema, loggedRequestSchema } from "./logged-request.ts";
import { readRequest } from "./read-request.ts";

const group = "Requests";
const access = { credentials: "either", anyScope: scopes("user", "retrieve") } as const;
export const METHODS = ["GET", "POST", "PATCH", "DELETE", "HEAD"] as const;
const PATH_LENGTH_MAX = 512;
const WORD_LENGTH_MAX = 128;
/** The precision of a line's time. */
const MOMENT_MS = 1;

/** What narrows a list of requests. */
export const filterFields = {
  method: described(optional(oneOf(METHODS)), "Of HTTP.", "POST"),
  path: described(
    optional(text({ max: PATH_LENGTH_MAX })),
    "How the path begins.",
    "/plugins/payments/request",
  ),
  status: described(optional(integer({ min: 100, max: 599 })), "Of the answer.", 400),
  code: described(optional(text({ max: WORD_LENGTH_MAX })), "Of the error.", "field_required"),
  order_id: described(
    optional(text({ max: WORD_LENGTH_MAX })),
    "Of the request, or of the record that it answered with.",
    "order-1",
  ),
  since: described(
    optional(moment()),
    "From then on, that moment included.",
    "2026-11-01T00:00:00Z",
  ),
  until: described(optional(moment()), "Until then, that moment included.", "2026-11-02T00:00:00Z"),
};

const listRequestsRoute = protectedRoute({
  method: "GET",
  path: "/requests",
  group,
  summary: "List requests",
  about:
    `Requests of the last ${KEPT_DAYS_MIN} days or more that came with a credential of this ` +
    "account, and payment requests for it, newest first. They appear about a second after their " +
    "answers, and under heavy load some may be missing. One list looks at the newest " +
    `${withCommas(LIST_LINES_MAX)} of each environment within \`since\` and \`until\`; ` +
    "`links.next` of its last page leads on to older ones.",
  access,
  readsFromStandby: true,
  query: {
    environment: described(
      optional(oneOf(ENVIRONMENTS)),
      "Absent: that of the API key, or all with a bearer token.",
      "sandbox",
    ),
    ...filterFields,
    ...pageFields,
  },
  answers: { 200: { about: "The requests", body: pageAnswer(listedRequestSchema) } },
  async run({ config }: Infra, { query, url, read }, { accountNumber, credential }) {
    const { environment: named, page, page_size, ...filter } = query;
    const { requestLogDays: keptDays } = config.retention;
    const reader = { accountNumber, environment: reachOf(credential, named), keptDays };
    const found = await read((db) => listRequests(db, reader, filter, query));
    return plainJson(withOlder(pageBody(query, found, url), found, query, url));
  },
});

/** The last page leads on to lines that were not searched. */
function withOlder(
  body: PageBody<ListedRequest>,
  { searchedSince }: RequestPage,
  { page_size }: PageAsked,
  url: string,
): PageBody<ListedRequest> {
  if (body.links.next !== null || searchedSince === undefined) return body;
  const older = new URL(url);
  older.searchParams.set("until", new Date(searchedSince.getTime() - MOMENT_MS).toISOString());
  return { ...body, links: { ...body.links, next: linkTo(older.href, { page: 1, page_size }) } };
}

const readRequestRoute = protectedRoute({
  method: "GET",
  path: "/requests/{request_id}",
  group,
  summary: "Look at one request",
  about:
    "What was sent and answered. Passwords, tokens, keys, secrets, security codes and numbers " +
    "of cards and bank accounts are masked. A refused request has an explanation.",
  access,
  params: {
    request_id: described(text({ max: 64 }), "`X-Request-Id` of its answer.", EXAMPLE.uuid),
  },
  query: {
    environment: described(
      optional(oneOf(ENVIRONMENTS)),
      "Absent: either, as far as the credential reaches.",
      "sandbox",
    ),
  },
  answers: {
    200: { about: "The request", body: saidWith(loggedRequestSchema) },
    404: { about: "No such request of this account within the credential's reach" },
  },
  async run({ db, config }: Infra, { params, query }, { accountNumber, credential }) {
    const { requestLogDays: keptDays } = config.retention;
    const environment = reachOf(credential, query.environment);
    const reader = { accountNumber, environment, keptDays };
    return ok({ data: await readRequest(db, reader, params.request_id, config.http) });
  },
});

export const requestLogRoutes: readonly Route<Infra>[] = [listRequestsRoute, readRequestRoute];
