/** Developers: API keys, webhooks, events, and what became of requests. */

import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { keyChangeRoutes } from "./key-change-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { requestRoutes } from "./request-routes.ts";
import { firstDeveloperPage, REQUESTS } from "./tabs.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const first = consoleRoute({
  method: "GET",
  path: "/console/developers",
  summary: "Developers",
  right: "request_log",
  run: async (_ctx: ConsoleContext, _call, visitor) =>
    redirect(firstDeveloperPage(visitor) ?? REQUESTS),
});

export const developerRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  first,
  ...keyRoutes,
  ...keyChangeRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...requestRoutes,
];
