/** Lists the audit trail by who, what, whom and when: what callers did and what operators did. */

import { now } from "../../infra/db/clock.ts";
import { demandAccount } from "./accounts/account.ts";
import { auditFilters, filterTrail, WINDOW_DAYS } from "./audit-filters.ts";
import { defineRead } from "./command.ts";
import { type Block, plain, reportBlocks, tableBlock, words } from "./render.ts";
import { type AuditRow, readTrail, reasonIn, viewEntry } from "./trail.ts";

export const audit = defineRead({
  name: "audit",
  right: "audit",
  about: "list who did what, newest first",
  more:
    "Without --account, an actor, an action, or a subject that is neither an account nor a " +
    `transaction is looked for in the ${WINDOW_DAYS} days before --until or now, unless --since ` +
    "goes further back.",
  fields: auditFilters,
  example: {
    given: "--account 1234567890 --limit 2",
    shows: `Audit trail
  entry  when                  account     who                 what              why          more
  6      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_unfrozen  ticket 4711  -
  5      2026-11-15 06:32:05Z  1234567890  operator D. Joseph  account_frozen    ticket 4711  -
  and more: 2 are shown`,
  },
  async run({ db }, asked) {
    const { account = null, limit } = asked;
    await demandAccount(db, account);
    const { condition, windowFrom } = filterTrail(asked, await now(db));
    const rows = await readTrail(db, condition, limit + 1);
    const shown = rows.slice(0, limit);
    const block = tableBlock("Audit trail", shown, {
      entry: "entry_id",
      when: "happened_at",
      account: "account_number",
      who: "actor",
      what: "action",
      why: reasonIn,
      more: moreIn,
    });
    const more = rows.length > limit ? `${limit} are shown` : undefined;
    const data = { entries: shown.map(viewEntry), is_complete: more === undefined };
    return reportBlocks(data, [
      { ...block, more } as Block,
      ...(windowFrom === undefined
        ? []
        : [words(`Entries before ${plain(windowFrom)} were not looked at.`)]),
    ]);
  },
});

/** The browser comes last: it is the longest, and has commas of its own. */
function moreIn({ detail }: AuditRow): string {
  const { why: _, browser, ...rest } = detail;
  return Object.entries({ ...rest, ...(browser !== undefined && { browser }) })
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
