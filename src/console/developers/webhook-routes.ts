/**
 * Webhook endpoints in the console: the use cases of `/webhooks`, for endpoints of the environment
 * that the session is in.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { changeEndpoint } from "../../modules/webhooks/change-endpoint.ts";
import { createEndpoint } from "../../modules/webhooks/create-endpoint.ts";
import { type EndpointRow, findEndpoint, listEndpoints } from "../../modules/webhooks/endpoint.ts";
import { ENDPOINTS_MAX } from "../../modules/webhooks/endpoint-refusals.ts";
import { rotateSecret } from "../../modules/webhooks/rotate-secret.ts";
import { removeEndpoint } from "../../modules/webhooks/stop-endpoint.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { idParam } from "../id-param.ts";
import { orRefused } from "../refused.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { readEndpointChange, readNewEndpoint } from "./endpoint-fields.ts";
import { changeEndpointPage, newEndpointPage, secretPage } from "./endpoint-form.ts";
import { deleteEndpointPage, rotateSecretPage } from "./endpoint-page.ts";
import { WEBHOOKS } from "./tabs.ts";
import { webhookListPage } from "./webhook-list-page.ts";

const right = "keys" as const;
export const ofEndpoint = { right, params: { id: idParam } } as const;
export const ONE = `${WEBHOOKS}/{id}`;

export function wantedOf({ environment }: Visitor, params: { readonly id: string }) {
  return { endpointId: params.id, environment };
}

export function endpointOf(
  { db }: ConsoleContext,
  visitor: Visitor,
  params: { readonly id: string },
): Promise<EndpointRow> {
  return findEndpoint(db, visitor.caller, wantedOf(visitor, params));
}

const list = consoleRoute({
  method: "GET",
  path: WEBHOOKS,
  summary: "Webhook endpoints",
  right,
  async run({ db }: ConsoleContext, _call, visitor): Promise<Answer> {
    const page = { page: 1, page_size: ENDPOINTS_MAX };
    const { rows } = await listEndpoints(db, ownerOf(visitor), page);
    return webhookListPage(visitor, rows);
  },
});

const form = consoleRoute({
  method: "GET",
  path: `${WEBHOOKS}/new`,
  summary: "The form of a new webhook endpoint",
  right,
  needsProof: true,
  run: async (_ctx: ConsoleContext, _call, visitor) => newEndpointPage(visitor),
});

const make = consoleRoute({
  method: "POST",
  path: `${WEBHOOKS}/new`,
  summary: "Make a webhook endpoint",
  right,
  needsProof: true,
  run(ctx: ConsoleContext, { texts, onceShown }, visitor): Promise<Answer> {
    const sent = texts();
    return orRefused(
      async () => {
        const { url, environment, ...given } = readNewEndpoint(ctx.config, visitor, sent);
        const { events = null, description = null } = given;
        const wanted = { url, environment, events, description };
        return onceShown(async (tx) => {
          const made = await createEndpoint(ctx, tx, visitor.caller, wanted);
          const location = `${WEBHOOKS}/${made.row.endpoint_id}?done=secret`;
          return { page: secretPage(visitor, made), location };
        });
      },
      (refused) => newEndpointPage(visitor, sent, refused),
    );
  },
});

const changeForm = consoleRoute({
  ...ofEndpoint,
  method: "GET",
  path: `${ONE}/change`,
  summary: "The form that changes a webhook endpoint",
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    changeEndpointPage(visitor, await endpointOf(ctx, visitor, params)),
});

const change = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/change`,
  summary: "Change a webhook endpoint",
  async run(ctx: ConsoleContext, { params, texts }, visitor): Promise<Answer> {
    const row = await endpointOf(ctx, visitor, params);
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readEndpointChange(ctx.config, sent);
        await ctx.db.transaction((tx) =>
          changeEndpoint(tx, visitor.caller, wantedOf(visitor, params), wanted),
        );
        return redirect(`${WEBHOOKS}/${row.endpoint_id}?done=endpoint`);
      },
      (refused) => changeEndpointPage(visitor, row, { sent, refused }),
    );
  },
});

const status = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/status`,
  summary: "Enable or disable a webhook endpoint",
  async run(ctx: ConsoleContext, { params, texts }, visitor): Promise<Answer> {
    const wanted = texts().status === "active" ? "active" : "disabled";
    const { endpoint_id: id } = await ctx.db.transaction((tx) =>
      changeEndpoint(tx, visitor.caller, wantedOf(visitor, params), {
        url: undefined,
        events: undefined,
        description: undefined,
        status: wanted,
      }),
    );
    return redirect(
      `${WEBHOOKS}/${id}?done=${wanted === "active" ? "endpoint_on" : "endpoint_off"}`,
    );
  },
});

const deleteForm = consoleRoute({
  ...ofEndpoint,
  method: "GET",
  path: `${ONE}/delete`,
  summary: "Whether to delete a webhook endpoint",
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    deleteEndpointPage(visitor, await endpointOf(ctx, visitor, params)),
});

const remove = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/delete`,
  summary: "Delete a webhook endpoint",
  async run(ctx: ConsoleContext, { params }, visitor): Promise<Answer> {
    await ctx.db.transaction((tx) => removeEndpoint(tx, visitor.caller, wantedOf(visitor, params)));
    return redirect(`${WEBHOOKS}?done=endpoint_removed`);
  },
});

const rotateForm = consoleRoute({
  ...ofEndpoint,
  method: "GET",
  path: `${ONE}/rotate`,
  summary: "Whether to give a webhook endpoint a new secret",
  needsProof: true,
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    rotateSecretPage(visitor, await endpointOf(ctx, visitor, params)),
});

const rotate = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/rotate`,
  summary: "Give a webhook endpoint a new secret",
  needsProof: true,
  run: (ctx: ConsoleContext, { params, onceShown }, visitor) =>
    onceShown(async (tx) => {
      const made = await rotateSecret(ctx, tx, visitor.caller, wantedOf(visitor, params));
      const location = `${WEBHOOKS}/${made.row.endpoint_id}?done=secret`;
      return { page: secretPage(visitor, made), location };
    }),
});

export const webhookRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  list,
  form,
  make,
  changeForm,
  change,
  status,
  deleteForm,
  remove,
  rotateForm,
  rotate,
];
