/** How long mails that are due have waited. One that is retried later, as planned, is not due. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { float } from "../../infra/db/row.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

const oldest = new Gauge({
  name: "windward_mails_oldest_seconds",
  help: "How long the mail that is longest due has waited for its try, when last looked.",
  aggregator: "max",
});

export const watchMails = defineWatch({
  what: "mails",
  async look({ db }: Infra) {
    const { seconds } = await db.one(sqlOf({ seconds: float })`
      select coalesce(extract(epoch from app_now() - min(next_try_at)), 0)::float8 as seconds
      from mails where state = 'waiting' and next_try_at <= (select app_now())`);
    oldest.set(seconds);
  },
});
