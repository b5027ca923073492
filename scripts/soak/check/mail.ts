/**
 * Mail that was promised was sent: a receipt for each payment and each refund, once; one more for
 * each that a merchant asked for; a link for who forgot a password (Decisions 0086, 0098).
 */

import { type Queryable, sql } from "../../../src/infra/db/query.ts";
import type { Diary } from "../traffic/diary.ts";
import { type Check, complaintsOf } from "./evidence.ts";

export const promisedMailIsSent: Check = async ({ db, diary }) => {
  const receipts = await db.rows(sql`
    with promised as (
      select 'receipt ' || transaction_id as reason, customer ->> 'email' as email
      from transactions where status = 'success'
      union all
      select 'refund receipt ' || refund_id, customer ->> 'email'
      from refunds join transactions using (transaction_id) where state = 'refunded'
    )
    select reason, email, mails.state, recipient from promised left join mails using (reason)
    where email is not null and (mails.state is distinct from 'sent' or recipient <> lower(email))
    limit 20`);
  const asked = await wrongReceipts(db, diary);
  const links = await linksMissing(db, diary);
  const unsent = await db.rows(sql`
    select reason, state, attempt_count from mails where state <> 'sent' limit 20`);
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int from mails`);
  const told = Math.min(diary.receipts.size, 1) * Math.min(diary.forgotten.size, 1);
  return {
    looked: told * count,
    wrong: [
      ...complaintsOf(receipts, "a receipt is missing"),
      ...complaintsOf(asked, "receipts that were asked for"),
      ...complaintsOf(links, "who forgot a password got no link"),
      ...complaintsOf(unsent, "a mail was not sent"),
    ],
  };
};

/** Of the receipts that merchants asked for, payments with too few or too many mails. */
export function wrongReceipts(db: Queryable, { receipts }: Diary): Promise<object[]> {
  const told = [...receipts].map(([id, counts]) => ({ id, ...counts }));
  return db.rows(sql`
    select asked.*, count(mail_id)::int as mails
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as asked (id text, sent int, told int)
    left join (
      select split_part(reason, ' ', 2) as id, mail_id from mails
      where reason like 'receipt % again %' and state = 'sent'
    ) as again using (id)
    group by id, sent, asked.told having count(mail_id) not between asked.told and sent`);
}

/** A job whose worker was killed at work waits for hours, or for an operator (retry-jobs). */
export function linksMissing(db: Queryable, { forgotten }: Diary): Promise<object[]> {
  return db.rows(sql`
    select asked.email from unnest(${[...forgotten]}::text[]) as asked (email)
    where not exists (
        select from mails
        where recipient = asked.email and reason like 'reset %' and state = 'sent')
      and not exists (
        select from graphile_worker._private_jobs
        where locked_at is not null and payload ->> 'email' = asked.email)`);
}
