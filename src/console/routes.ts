/** Every page of the console, as data: the server serves them, the access test tries each. */

import type { Route } from "../infra/http/route.ts";
import { balanceRoutes } from "./balance/routes.ts";
import type { ConsoleRoute } from "./console-route.ts";
import type { ConsoleContext } from "./context.ts";
import { homeRoutes } from "./home/routes.ts";
import { invitationRoutes } from "./invitation/routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { resetRoutes } from "./signing-in/reset-routes.ts";
import { signInRoutes } from "./signing-in/sign-in-routes.ts";

/** Those behind a session. */
export const consoleRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  ...homeRoutes,
  ...balanceRoutes,
  ...settingsRoutes,
  ...sessionRoutes,
];

export const consolePageRoutes: readonly Route<ConsoleContext>[] = [
  ...signInRoutes,
  ...resetRoutes,
  ...invitationRoutes,
  ...consoleRoutes.map(({ route }) => route),
];
