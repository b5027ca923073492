/** Endpoints that are due and that nobody is sending to, for the alarm about late webhooks. */

import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { float, int } from "../../infra/db/row.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";
import { IS_CLAIMED, IS_FAILING, IS_HEALTHY } from "./wake-endpoint.ts";

/** It is normally claimed before this. */
const OVERDUE_SECONDS = 1;
const COUNTED_MAX = 1_000;

/** Each kind by its own index, the longest first. */
const overdue = (kind: Sql) => sql`
  select next_due_at from webhook_endpoints
  where next_due_at <= app_now() - make_interval(secs => ${OVERDUE_SECONDS})
    and ${kind} and not ${IS_CLAIMED}
  order by next_due_at limit ${COUNTED_MAX}`;

export const watchEndpoints = defineWatch({
  what: "webhooks",
  gauges: {
    endpoint_count: {
      name: "windward_webhook_endpoints_waiting",
      help: "Endpoints with a delivery that is due and that nobody is sending, when last looked.",
    },
    late_seconds: {
      name: "windward_webhook_late_seconds",
      help: "How long the longest of those has been due, when last looked.",
    },
  },
  read: (db) =>
    db.rows(sqlOf({ endpoint_count: int, late_seconds: float })`
      select count(*)::int as endpoint_count,
        coalesce(max(extract(epoch from app_now() - next_due_at)), 0)::float8 as late_seconds
      from (
        (${overdue(IS_HEALTHY)}) union all
        (${overdue(IS_FAILING)})
      ) as overdue`),
});
