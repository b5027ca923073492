/** Lists the audit trail by account and time, what callers did and what operators did alike. */

import { sql } from "../../infra/db/query.ts";
import { optional } from "../../kit/fields/field.ts";
import { dayOrMoment } from "../../kit/fields/time.ts";
import { accountNumberField, demandAccount } from "./accounts/account.ts";
import { type AuditRow, readTrail, reasonIn, viewEntry } from "./audit-trail.ts";
import { asked, defineRead } from "./command.ts";
import { rowsField } from "./fields.ts";
import { renderTable } from "./render.ts";

const ENTRIES_DEFAULT = 50;
const ENTRIES_MAX = 1_000;

export const audit = defineRead({
  name: "audit",
  about: "list who did what, newest first",
  fields: {
    account: optional({ ...accountNumberField }),
    since: optional(asked(dayOrMoment(), "time", "Not before this: a day of UTC, or a time.")),
    until: optional(asked(dayOrMoment(), "time", "Before this.")),
    limit: rowsField(ENTRIES_DEFAULT, ENTRIES_MAX),
  },
  example: {
    given: "--account 1234567890 --limit 2",
    shows: `Audit trail
  entry  when                  account     who                 what              why          more
  6      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_unfrozen  ticket 4711  -
  5      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_frozen    ticket 4711  -`,
  },
  async run({ db }, { account = null, since = null, until = null, limit }) {
    if (account !== null) await demandAccount(db, account);
    const rows = await readTrail(
      db,
      sql`(${account}::text is null or account_number = ${account})
        and (${since}::timestamptz is null or happened_at >= ${since})
        and (${until}::timestamptz is null or happened_at < ${until})`,
      Number(limit),
    );
    return { data: { entries: rows.map(viewEntry) }, text: render(rows) };
  },
});

function render(rows: readonly AuditRow[]): string {
  return renderTable(
    "Audit trail",
    ["entry", "when", "account", "who", "what", "why", "more"],
    rows.map((row) => [
      row.entry_id,
      row.happened_at,
      row.account_number,
      row.actor,
      row.action,
      reasonIn(row),
      moreIn(row),
    ]),
  );
}

function moreIn({ detail }: AuditRow): string {
  return Object.entries(detail)
    .filter(([name]) => name !== "why")
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
