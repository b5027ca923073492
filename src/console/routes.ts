/** Every page of the console, as data: the server serves them, the access test tries each. */

import type { Route } from "../infra/http/route.ts";
import type { CheckoutContext } from "../modules/checkout/session/context.ts";
import { balanceRoutes } from "./balance/routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import type { ConsoleRoute } from "./console-route.ts";
import type { ConsoleContext } from "./context.ts";
import { developerRoutes } from "./developers/routes.ts";
import { homeRoutes } from "./home/routes.ts";
import { invitationRoutes } from "./invitation/routes.ts";
import { linkRoutes } from "./links/routes.ts";
import { liveRoutes } from "./live/routes.ts";
import { meRoutes } from "./me/routes.ts";
import { paymentListRoutes } from "./payments/list-routes.ts";
import { paymentRoutes } from "./payments/payment-routes.ts";
import { receiptRoutes } from "./payments/receipt-routes.ts";
import { proveRoutes } from "./prove/routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { codeRoutes } from "./signing-in/code-routes.ts";
import { resetRoutes } from "./signing-in/reset-routes.ts";
import { signInRoutes } from "./signing-in/sign-in-routes.ts";
import { withdrawalPageRoutes } from "./withdrawals/routes.ts";

/** Those behind a session. */
export const consoleRoutes: readonly ConsoleRoute<ConsoleContext & CheckoutContext>[] = [
  ...homeRoutes,
  ...liveRoutes,
  ...paymentListRoutes,
  ...paymentRoutes,
  ...receiptRoutes,
  ...balanceRoutes,
  ...withdrawalPageRoutes,
  ...linkRoutes,
  ...cardRoutes,
  ...developerRoutes,
  ...settingsRoutes,
  ...sessionRoutes,
  ...proveRoutes,
  ...meRoutes,
];

export const consolePageRoutes: readonly Route<ConsoleContext & CheckoutContext>[] = [
  ...signInRoutes,
  ...codeRoutes,
  ...resetRoutes,
  ...invitationRoutes,
  ...consoleRoutes.map(({ route }) => route),
];
