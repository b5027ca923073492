/** Every route of this module, in the order the reference shows them. */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import type { Route } from "../../infra/http/route.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { endpointRoutes } from "./endpoint-routes.ts";

export function webhookRoutes(config: Config): readonly Route<Infra>[] {
  return [...endpointRoutes(config), ...deliveryRoutes];
}
