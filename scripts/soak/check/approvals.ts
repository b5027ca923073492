/** What moves much money moved by two people, once (Decision 0119). */

import { readConfig } from "../../../src/infra/config.ts";
import { now } from "../../../src/infra/db/clock.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { type Currency, money } from "../../../src/kit/money.ts";
import { needsSecondPerson } from "../../../src/modules/operator/approvals/second-person.ts";
import { type Check, complaintsOf } from "./evidence.ts";

interface LetGo extends Record<string, unknown> {
  readonly id: string;
  readonly currency: Currency;
  readonly minor: bigint;
  readonly asked: number;
  readonly approved: number;
  readonly released: number;
}

/** What the two were told is so; and nothing was let go without both of them. */
export const muchMoneyNeedsTwo: Check = async ({ db, diary }) => {
  const rows = await db.rows<LetGo>(sql`
    with released as (
      select detail ->> 'transaction_id' as transaction_id, count(*)::int as times
      from audit_entries where action = 'withdrawal_released' and actor like 'operator %'
      group by 1
    ), asked as (
      select transaction_id, count(*)::int as times,
        count(*) filter (where state = 'approved')::int as approved
      from approvals group by transaction_id
    )
    select transaction_id as id, currency, amount_minor as minor,
      coalesce(asked.times, 0) as asked, coalesce(approved, 0) as approved,
      coalesce(released.times, 0) as released
    from withdrawals
    left join asked using (transaction_id) left join released using (transaction_id)
    where released.times > 0 or transaction_id = any (${[...diary.letGo.keys()]})`);
  const config = readConfig({});
  const at = await now(db);
  const wrong = rows.filter(({ id, currency, minor, asked, approved, released }) => {
    const told = diary.letGo.get(id);
    const isAsTold =
      (!told?.isAsked || asked === 1) && (!told?.isApproved || approved === 1) && asked <= 1;
    const isMuch = needsSecondPerson(config, money(currency, minor), at);
    return !isAsTold || (isMuch && released !== approved);
  });
  return {
    looked: rows.filter(({ approved }) => approved > 0).length,
    wrong: [
      ...complaintsOf(wrong, "let go otherwise than by two"),
      ...(diary.seenWrong.get("approvals") ?? []),
    ],
  };
};
