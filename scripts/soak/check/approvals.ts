/** What moves much money moved by two people, once (Decision 0119). */

import { sql } from "../../../src/infra/db/query.ts";
import { type Check, complaintsOf } from "./evidence.ts";

/** What the two were told is so; and nothing was let go without both of them. */
export const muchMoneyNeedsTwo: Check = async ({ db, diary }) => {
  const rows = await db.rows<{ id: string; approved: number; released: number; asked: number }>(sql`
    select transaction_id as id,
      (select count(*)::int from approvals
        where approvals.transaction_id = withdrawals.transaction_id) as asked,
      (select count(*)::int from approvals where state = 'approved'
        and approvals.transaction_id = withdrawals.transaction_id) as approved,
      (select count(*)::int from audit_entries where action = 'withdrawal_released'
        and actor like 'operator %'
        and detail ->> 'transaction_id' = withdrawals.transaction_id) as released
    from withdrawals where transaction_id = any (${[...diary.letGo.keys()]})`);
  const wrong = rows.filter(({ id, asked, approved, released }) => {
    const told = diary.letGo.get(id);
    const isAsTold =
      (!told?.isAsked || asked === 1) && (!told?.isApproved || approved === 1) && asked <= 1;
    return !isAsTold || released !== approved;
  });
  return {
    looked: rows.filter(({ approved }) => approved > 0).length,
    wrong: [
      ...complaintsOf(wrong, "let go otherwise than by two"),
      ...(diary.seenWrong.get("approvals") ?? []),
    ],
  };
};
