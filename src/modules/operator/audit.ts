/** Lists the audit trail by account and time, what callers did and what operators did. */

import { sql } from "../../infra/db/query.ts";
import { demandAccount } from "./accounts/account.ts";
import { defineRead } from "./command.ts";
import { accountOption, limitOption, timeOption } from "./fields.ts";
import { reportBlocks, tableBlock } from "./render.ts";
import { type AuditRow, readTrail, reasonIn, viewEntry } from "./trail.ts";

export const audit = defineRead({
  name: "audit",
  right: "audit",
  about: "list who did what, newest first",
  fields: {
    account: accountOption,
    since: timeOption("Not before this: a day of UTC, or a time."),
    until: timeOption("Before this."),
    limit: limitOption(50),
  },
  example: {
    given: "--account 1234567890 --limit 2",
    shows: `Audit trail
  entry  when                  account     who                 what              why          more
  6      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_unfrozen  ticket 4711  -
  5      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_frozen    ticket 4711  -`,
  },
  async run({ db }, { account = null, since = null, until = null, limit }) {
    await demandAccount(db, account);
    const rows = await readTrail(
      db,
      sql`(${account}::text is null or account_number = ${account})
        and (${since}::timestamptz is null or happened_at >= ${since})
        and (${until}::timestamptz is null or happened_at < ${until})`,
      limit,
    );
    const block = tableBlock("Audit trail", rows, {
      entry: "entry_id",
      when: "happened_at",
      account: "account_number",
      who: "actor",
      what: "action",
      why: reasonIn,
      more: moreIn,
    });
    return reportBlocks({ entries: rows.map(viewEntry) }, [block]);
  },
});

function moreIn({ detail }: AuditRow): string {
  return Object.entries(detail)
    .filter(([name]) => name !== "why")
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
