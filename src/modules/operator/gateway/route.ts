/** A row that says which gateway serves live payments, as operators see it. */

import { omit, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { GatewayName } from "../../gateway/port.ts";

/** The real ones: the simulator serves no live payment that a route could name. */
export const GATEWAYS = ["powertranz"] as const satisfies readonly GatewayName[];

export const ROUTE = omit(tables.gateway_routes, "route_id");

/** Null stands for all. */
export function viewRoute({ country_code, currency, gateway, valid_from }: Row<typeof ROUTE>) {
  return { country_code, currency, gateway, valid_from };
}
