/** What a person does with their own profile: name, password, second factors, sessions. */

import type { ConsoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { authenticatorRoutes } from "./authenticator-routes.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { passwordRoutes } from "./password-routes.ts";
import { profileRoutes } from "./profile-routes.ts";
import { recoveryCodeRoutes } from "./recovery-code-routes.ts";

export const meRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  ...profileRoutes,
  ...passwordRoutes,
  ...authenticatorRoutes,
  ...passkeyRoutes,
  ...recoveryCodeRoutes,
];
