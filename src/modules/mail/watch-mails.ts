/** How long mails have waited to be sent. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { float } from "../../infra/db/row.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

const oldest = new Gauge({
  name: "windward_mails_oldest_seconds",
  help: "How long the oldest mail that is not sent yet has waited, when last looked.",
  aggregator: "max",
});

export const watchMails = defineWatch({
  what: "mails",
  async look({ db }: Infra) {
    const { seconds } = await db.one(sqlOf({ seconds: float })`
      select coalesce(extract(epoch from app_now() - min(created_at)), 0)::float8 as seconds
      from mails where state = 'waiting'`);
    oldest.set(seconds);
  },
});
