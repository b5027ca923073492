/** Every route of this module, in the order the reference shows them. */

import type { Route } from "../../infra/http/route.ts";
import type { AuthContext } from "./context.ts";
import {
  changeKeyRoute,
  createKeyRoute,
  listKeysRoute,
  readKeyRoute,
  revokeKeyRoute,
  rotateKeyRoute,
} from "./key-routes.ts";
import { grantRoute, jwksRoute, refreshRoute, revokeRoute, whoamiRoute } from "./token-routes.ts";

export const authRoutes: readonly Route<AuthContext>[] = [
  grantRoute,
  refreshRoute,
  revokeRoute,
  whoamiRoute,
  jwksRoute,
  createKeyRoute,
  listKeysRoute,
  readKeyRoute,
  changeKeyRoute,
  rotateKeyRoute,
  revokeKeyRoute,
];
