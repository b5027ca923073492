/** The routes of webhooks: endpoints here, deliveries next door (Decision 0033). */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import { EXAMPLE, saidOnly, saidWith, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { changeEndpoint, NOTHING_TO_CHANGE } from "./change-endpoint.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import {
  type EndpointRow,
  endpointView,
  findEndpoint,
  listEndpoints,
  viewEndpoint,
} from "./endpoint.ts";
import {
  accepted,
  can,
  disabled,
  endpointChangeBody,
  environmentField,
  group,
  newEndpointBody,
  ofEndpoint,
  unknown,
  wantedOf,
} from "./endpoint-fields.ts";
import { AddressIsTaken, EndpointIsBeingDisabled, TooManyEndpoints } from "./endpoint-refusals.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";
import { removeEndpoint } from "./stop-endpoint.ts";

const secret = Type.Optional(
  textSchema(
    "Signs what is sent. Shown once: not even a replay shows it again.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  ),
);
const withSecret = (message: "Created" | "OK") =>
  saidWith(
    Type.Object({ ...endpointView.properties, secret }, { title: "NewWebhookEndpoint" }),
    message,
  );
const oneEndpoint = saidWith(endpointView);

function createRoute(config: Config) {
  return protectedRoute({
    method: "POST",
    path: "/webhooks",
    group,
    summary: "Make a webhook endpoint",
    about:
      "From then on the events of its environment are sent to it. Its secret is shown only here.",
    access: can("create"),
    idempotent: true,
    body: newEndpointBody(config),
    answers: {
      201: { about: "The endpoint and its secret", body: withSecret("Created") },
      409: {
        about:
          "The account has 10 endpoints, or one with this url; or the same Idempotency-Key is " +
          "still running",
        refusals: [new TooManyEndpoints(), new AddressIsTaken("")],
      },
    },
    async run(ctx: Infra, { body, once }, caller) {
      const { url, environment, events = null, description = null } = body;
      const wanted = { url, events, environment, description };
      return once(async (tx) => showOnce(await createEndpoint(ctx, tx, caller, wanted), created));
    },
  });
}

const listRoute = protectedRoute({
  method: "GET",
  path: "/webhooks",
  group,
  summary: "List webhook endpoints",
  access: can("retrieve"),
  query: { environment: environmentField, ...pageFields },
  answers: { 200: { about: "The endpoints, newest first", body: pageAnswer(endpointView) } },
  async run(ctx: Infra, { query, url }, { accountNumber, credential }) {
    const environment = reachOf(credential, query.environment);
    const { rows, total } = await listEndpoints(ctx.db, { accountNumber, environment }, query);
    return plainJson(pageBody(query, { rows: rows.map(viewEndpoint), total }, url));
  },
});

const readRoute = protectedRoute({
  method: "GET",
  path: "/webhooks/{id}",
  ...ofEndpoint,
  summary: "Read one webhook endpoint",
  access: can("retrieve"),
  answers: { 200: { about: "The endpoint", body: oneEndpoint }, 404: unknown },
  async run(ctx: Infra, { params, query }, caller) {
    const found = await findEndpoint(ctx.db, caller, wantedOf(params, query));
    return ok({ data: viewEndpoint(found) });
  },
});

function changeRoute(config: Config) {
  return protectedRoute({
    method: "PATCH",
    path: "/webhooks/{id}",
    ...ofEndpoint,
    summary: "Change, disable or enable a webhook endpoint",
    about:
      "Disabling cancels what waits, and nothing more is sent once it is answered. Enabling " +
      "sends what happens from then on; a replay sends what was missed.",
    access: can("update"),
    body: endpointChangeBody(config),
    answers: {
      200: { about: "The endpoint as it is now", body: oneEndpoint },
      404: unknown,
      400: {
        about: "A field is malformed, or none was given",
        refusals: [new NothingToChange(NOTHING_TO_CHANGE)],
      },
      409: {
        about: "The account has an endpoint with this url, or it is still being disabled",
        refusals: [new AddressIsTaken(""), new EndpointIsBeingDisabled()],
        headers: ["Retry-After"],
      },
    },
    async run(_ctx: Infra, { params, query, body, once }, caller) {
      return once(async (tx) => {
        const changed = await changeEndpoint(tx, caller, wantedOf(params, query), body);
        return ok({ data: viewEndpoint(changed) });
      });
    },
  });
}

const removeRoute = protectedRoute({
  method: "DELETE",
  path: "/webhooks/{id}",
  ...ofEndpoint,
  summary: "Delete a webhook endpoint",
  about: "Cancels what waits. Once it is answered nothing more is sent.",
  access: can("delete"),
  answers: { 200: { about: "Deleted", body: saidOnly() }, 404: unknown },
  async run(_ctx: Infra, { params, query, once }, caller) {
    return once(async (tx) => {
      await removeEndpoint(tx, caller, wantedOf(params, query));
      return ok();
    });
  },
});

const rotateRoute = protectedRoute({
  method: "POST",
  path: "/webhooks/{id}/rotate",
  ...ofEndpoint,
  summary: "Give a webhook endpoint a new secret",
  about:
    "The old secret signs beside the new one for 24 hours. Rotating again ends the oldest at once.",
  access: can("update"),
  idempotent: true,
  answers: {
    200: { about: "The endpoint and its new secret", body: withSecret("OK") },
    404: unknown,
    409: { about: "The same Idempotency-Key is still running" },
  },
  async run(ctx: Infra, { params, query, once }, caller) {
    const wanted = wantedOf(params, query);
    return once(async (tx) => showOnce(await rotateSecret(ctx, tx, caller, wanted), ok));
  },
});

const testRoute = protectedRoute({
  method: "POST",
  path: "/webhooks/{id}/test",
  ...ofEndpoint,
  summary: "Send a test event to a webhook endpoint",
  about: "A `webhook.test`, sent to this endpoint alone. How it went is told by its deliveries.",
  access: can("update"),
  idempotent: true,
  answers: {
    202: {
      about: "Queued for delivery",
      body: saidWith(
        Type.Object({ event_id: textSchema("Of the test event.", EXAMPLE.eventId) }),
        "Accepted",
      ),
    },
    404: unknown,
    409: disabled,
  },
  async run(_ctx: Infra, { params, query, once }, caller) {
    return once(async (tx) => {
      return accepted({ event_id: await sendTest(tx, caller, wantedOf(params, query)) });
    });
  },
});

/** The secret is in this answer only; what an Idempotency-Key stores has none. */
function showOnce(made: { row: EndpointRow; secret: string }, answer: typeof ok) {
  const record = viewEndpoint(made.row);
  const replayBody = answer({ data: record }).body;
  return { ...answer({ data: { ...record, secret: made.secret } }), replayBody };
}

/** In the order of the reference. */
export function webhookRoutes(config: Config): readonly Route<Infra>[] {
  return [
    createRoute(config),
    listRoute,
    readRoute,
    changeRoute(config),
    removeRoute,
    rotateRoute,
    testRoute,
    ...deliveryRoutes,
  ];
}
