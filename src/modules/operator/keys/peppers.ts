/** Counts what each pepper still digests: whether an old one may leave its ring (Decision 0007). */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import { bigint, text, word } from "../../../infra/db/row.ts";
import { inSnapshot } from "../../../infra/db/snapshot.ts";
import { defineRead } from "../command.ts";
import { reportBlocks, tableBlock } from "../render.ts";

const PEPPER = {
  setting: word("PASSWORD_PEPPERS", "TOKEN_PEPPERS"),
  pepper: text,
  what: text,
  count: bigint,
};

/** Who holds a closed account may sign in for others, with its password (Decision 0146). */
const ACTS_FOR_ANOTHER = sql`exists (
  select from persons join members using (person_id)
    join accounts as another on another.account_number = members.account_number
  where persons.holder_of = accounts.account_number and another.status <> 'closed')`;

export const peppers = defineRead({
  name: "peppers",
  right: { terminalOnly: "It is about settings of the machine." },
  about: "count what each pepper still digests, before an old one leaves its ring",
  more:
    "Passwords move to the newest at the next sign-in, refresh tokens when they are used, API " +
    "keys when their owners rotate them, recovery codes when their person makes new ones. Keys " +
    "that were revoked do not count.",
  fields: {},
  example: {
    given: "",
    shows: `Peppers in use
  setting           pepper  what            count
  PASSWORD_PEPPERS  2026a   passwords       1
  TOKEN_PEPPERS     2026a   refresh tokens  2`,
  },
  async run({ db }) {
    const rows = await inSnapshot(db, (tx) =>
      tx.rows(sqlOf(PEPPER)`
        select 'PASSWORD_PEPPERS' as setting, pepper_id as pepper, 'passwords' as what, count(*)
          from (select pepper_id from accounts
              where status <> 'closed' or ${ACTS_FOR_ANOTHER}
            union all select pepper_id from persons where pepper_id is not null) as stored
          group by pepper_id
        union all
        select 'TOKEN_PEPPERS', pepper_id, 'API keys', count(*)
          from api_keys where revoked_at is null group by pepper_id
        union all
        select 'TOKEN_PEPPERS', pepper_id, 'refresh tokens', count(*)
          from refresh_tokens where expires_at > real_now() group by pepper_id
        union all
        select 'TOKEN_PEPPERS', pepper_id, 'recovery codes', count(*)
          from recovery_codes where used_at is null group by pepper_id
        order by setting, pepper, what`),
    );
    const block = tableBlock("Peppers in use", rows, {
      setting: "setting",
      pepper: "pepper",
      what: "what",
      count: "count",
    });
    const counted = rows.map((row) => ({ ...row, count: Number(row.count) }));
    return reportBlocks({ peppers: counted }, [block]);
  },
});
