/**
 * Adds the months of the audit trail before they begin, and drops those that were over for as many
 * months as are kept (Decision 0121). Entries of a month without a partition are kept all the same,
 * and moved when it is added.
 *
 * What happened is dated by the world's time, so that time says which months are needed. What may
 * go is said by the real one, which is never ahead of it: a clock that is moved deletes nothing.
 */

import type { Infra } from "../../infra/context.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { int, text } from "../../infra/db/row.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { auditMonthsDropped, noteRetention } from "./privacy-metrics.ts";

const MONTHS_AHEAD = 2;
/** More wait for the next hour. */
const MOVED_AT_ONCE_MAX = 24;

export const keepAuditMonths = defineJob({
  name: "keep-audit-months",
  everyHourAtMinute: 13,
  async run({ db, config }: Infra) {
    const needed = await db.rows(sqlOf({ month: text })`
      select distinct to_char(month, 'YYYY-MM-DD') as month from (
        select (app_now() at time zone 'UTC') + ahead * interval '1 month' as month
        from generate_series(0, ${MONTHS_AHEAD}::int) as ahead
        union all
        (select distinct date_trunc('month', happened_at at time zone 'UTC')
        from audit_entries_other order by 1 limit ${MOVED_AT_ONCE_MAX})
      ) as needed order by 1`);
    // Each by itself, so that the locks of one are gone before the next.
    for (const { month } of needed) await db.run(sql`select add_audit_month(${month}::date)`);
    const { auditMonths } = config.retention;
    if (auditMonths > 0) {
      const { dropped } = await db.one(sqlOf({ dropped: int })`
        select drop_audit_months((date_trunc('month', real_now() at time zone 'UTC')
          - make_interval(months => ${auditMonths}))::date) as dropped`);
      auditMonthsDropped.inc(dropped);
    }
    noteRetention("audit");
  },
});
