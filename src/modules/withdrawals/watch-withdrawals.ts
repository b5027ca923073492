/** How long withdrawals have not moved. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { float, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

const oldest = new Gauge({
  name: "windward_withdrawals_oldest_seconds",
  help: "How long the oldest withdrawal of a status has not moved, when last looked.",
  labelNames: ["environment", "status"],
  aggregator: "max",
});

export const watchWithdrawals = defineWatch({
  what: "withdrawals",
  async look({ db }: Infra) {
    const found = await db.rows(sqlOf({
      ...pick(tables.withdrawals, "environment", "status"),
      seconds: float,
    })`
      select environment, status,
        extract(epoch from app_now() - min(updated_at))::float8 as seconds
      from withdrawals where status in ('pending', 'processing', 'held')
      group by environment, status`);
    oldest.reset();
    for (const { environment, status, seconds } of found)
      oldest.set({ environment, status }, seconds);
  },
});
