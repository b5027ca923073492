/** How long mails that are due have waited. One that is retried later, as planned, is not due. */

import { sqlOf } from "../../infra/db/query.ts";
import { float } from "../../infra/db/row.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

export const watchMails = defineWatch({
  what: "mails",
  gauges: {
    seconds: {
      name: "windward_mails_oldest_seconds",
      help: "How long the mail that is longest due has waited for its try, when last looked.",
    },
  },
  read: (db) =>
    db.rows(sqlOf({ seconds: float })`
      select coalesce(extract(epoch from app_now() - min(next_try_at)), 0)::float8 as seconds
      from mails where state = 'waiting' and next_try_at <= (select app_now())`),
});
