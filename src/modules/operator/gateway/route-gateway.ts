/**
 * Says which gateway serves live payments of a platform and currency from a date on (Decision
 * 0081). A payment stays with the gateway that has served it.
 */

import { sqlOf } from "../../../infra/db/query.ts";
import { columns } from "../../../infra/db/row.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { optional } from "../../../kit/fields/field.ts";
import { CURRENCIES } from "../../../kit/money.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { defineAction } from "../command.ts";
import { timeOption, wordOption } from "../fields.ts";
import { plain } from "../render.ts";
import { GATEWAYS, ROUTE, viewRoute } from "./route.ts";

export const routeGateway = defineAction({
  name: "route-gateway",
  right: "manage",
  about: "say which gateway serves live payments from a date on",
  more:
    "The most specific route holds: that of a platform and currency, then that of one of them, " +
    "then that of all; of equal ones the latest. What a gateway has served stays with it. A " +
    "route is never removed; a later one takes its place.",
  fields: {
    platform: optional(wordOption(COUNTRY_CODES, "Of this platform; of all if absent.")),
    currency: optional(wordOption(CURRENCIES, "In this currency; in all if absent.")),
    gateway: wordOption(GATEWAYS, "Who serves them; the settings have to configure it."),
    from: timeOption("From then on: a day of UTC, or a time; now if absent."),
  },
  example: {
    given: "--platform TT --currency TTD --gateway powertranz --from 2027-01-01",
    shows: "TTD of TT goes to powertranz from 2027-01-01 00:00:00Z on.",
    entry: 18,
  },
  async run({ config }, { platform = null, currency = null, gateway, from = null }, act) {
    // The router asks only configured ones: a route to another would refuse every payment.
    if (config.liveGateway !== gateway)
      throw new OperatorError(`The settings configure no live gateway ${gateway}.`);
    return act(async (tx) => {
      const row = await tx.maybeOne(sqlOf(ROUTE)`
        insert into gateway_routes (country_code, currency, gateway, valid_from)
        values (${platform}, ${currency}, ${gateway}, coalesce(${from}::timestamptz, app_now()))
        on conflict on constraint a_route_of_a_moment_is_named_once do nothing
        returning ${columns(ROUTE)}`);
      if (row === undefined)
        throw new OperatorError("A route of this platform, currency and time exists already.");
      const { country_code, ...detail } = viewRoute(row);
      const what = `${currency ?? "Every currency"} of ${platform ?? "every platform"}`;
      return {
        entry: { action: "gateway_routed", detail: { platform: country_code, ...detail } },
        data: { route: viewRoute(row) },
        text: `${what} goes to ${gateway} from ${plain(row.valid_from)} on.`,
      };
    });
  },
});
