/** How long withdrawals have not moved. */

import { sqlOf } from "../../infra/db/query.ts";
import { float, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

const WAITING = { ...pick(tables.withdrawals, "environment", "status"), seconds: float };

export const watchWithdrawals = defineWatch({
  what: "withdrawals",
  gauges: {
    seconds: {
      name: "windward_withdrawals_oldest_seconds",
      help: "How long the oldest withdrawal of a status has not moved, when last looked.",
    },
  },
  labels: ["environment", "status"],
  read: (db) =>
    db.rows(sqlOf(WAITING)`
      select environment, status,
        extract(epoch from app_now() - min(updated_at))::float8 as seconds
      from withdrawals where status in ('pending', 'processing', 'held')
      group by environment, status`),
});
