/** Settings of the account: members, security, notifications, payment keys. */

import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { memberRoutes } from "./member-routes.ts";
import { notificationRoutes } from "./notification-routes.ts";
import { paymentKeyPages } from "./payment-key-routes.ts";
import { securityRoutes } from "./security-routes.ts";
import { firstSettingsPage } from "./tabs.ts";

const first = consoleRoute({
  method: "GET",
  path: "/console/settings",
  summary: "Settings",
  right: "self",
  run: async (_ctx: ConsoleContext, _call, visitor) =>
    redirect(firstSettingsPage(visitor) ?? "/console/me"),
});

export const settingsRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  first,
  ...memberRoutes,
  ...securityRoutes,
  ...notificationRoutes,
  ...paymentKeyPages,
];
