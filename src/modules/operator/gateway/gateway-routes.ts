/** Lists which gateway serves live payments, now and later. */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed } from "../../../infra/db/row.ts";
import { defineRead } from "../command.ts";
import { reportBlocks, tableBlock, words } from "../render.ts";
import { ROUTE, viewRoute } from "./route.ts";

const LISTED = { ...ROUTE, is_current: computed(bool, sql`valid_from <= app_now()`) };

export const gatewayRoutes = defineRead({
  name: "gateway-routes",
  about: "list which gateway serves live payments, now and later",
  more: "What no route names goes to the gateway of the settings.",
  fields: {},
  example: {
    given: "",
    shows: `Routes of live payments
  platform  currency  gateway     from                  holds
  TT        TTD       powertranz  2027-01-01 00:00:00Z  later
Without a route: powertranz`,
  },
  async run({ db, config }) {
    const rows = await db.rows(sqlOf(LISTED)`
      select ${columns(LISTED)} from gateway_routes as route
      where valid_from > app_now() or not exists (
        select from gateway_routes as later
        where (later.country_code, later.currency)
            is not distinct from (route.country_code, route.currency)
          and later.valid_from > route.valid_from and later.valid_from <= app_now())
      order by country_code nulls first, currency nulls first, valid_from`);
    const routes = rows.map((row) => ({ ...viewRoute(row), is_current: row.is_current }));
    const table = tableBlock("Routes of live payments", routes, {
      platform: ({ country_code }) => country_code ?? "all",
      currency: ({ currency }) => currency ?? "all",
      gateway: "gateway",
      from: "valid_from",
      holds: ({ is_current }) => (is_current ? "now" : "later"),
    });
    const preset = config.liveGateway;
    return reportBlocks({ routes, without_a_route: preset }, [
      table,
      words(`Without a route: ${preset}`),
    ]);
  },
});
