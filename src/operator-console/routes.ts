/** Every page of `/operator`, as data: the server serves them, the access test tries each. */

import type { Route } from "../infra/http/route.ts";
import { actionRoutes } from "./actions/action-routes.ts";
import { approvalRoutes } from "./approval-routes.ts";
import { auditExportRoutes } from "./audit-export-routes.ts";
import { bankFileRoutes } from "./bank-file-routes.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { homeRoutes } from "./home-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { meRoutes } from "./me/me-routes.ts";
import type { OperatorRoute } from "./operator-route.ts";
import { recordRoutes } from "./record-routes.ts";
import { requestRoutes } from "./request-routes.ts";
import { operatorCodeRoutes } from "./signing-in/code-routes.ts";
import { operatorPasswordRoutes } from "./signing-in/password-routes.ts";
import { operatorSetUpRoutes } from "./signing-in/set-up-routes.ts";
import { operatorSignInRoutes, operatorSignOut } from "./signing-in/sign-in-routes.ts";

/** Those behind a session. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ...homeRoutes,
  ...recordRoutes,
  ...listRoutes,
  ...auditExportRoutes,
  ...bankFileRoutes,
  ...requestRoutes,
  ...approvalRoutes,
  ...actionRoutes,
  ...meRoutes,
  operatorSignOut,
];

export const operatorPageRoutes: readonly Route<OperatorConsoleContext>[] = [
  ...operatorSignInRoutes,
  ...operatorCodeRoutes,
  ...operatorSetUpRoutes,
  ...operatorPasswordRoutes,
  ...operatorRoutes.map(({ route }) => route),
];
