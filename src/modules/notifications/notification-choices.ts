/**
 * Which mails about money a member gets of an account (Decision 0143): what the member chose, else
 * what is usual for the role, and never what the role may not see.
 */

import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, nullable, outer, pick, type Row, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { mayDo, type Role } from "../../kit/roles.ts";

export const PAYMENT_CHOICES = ["none", "by_link", "all"] as const;

export type PaymentChoice = (typeof PAYMENT_CHOICES)[number];

export interface NotificationChoices {
  readonly payments: PaymentChoice;
  readonly disputes: boolean;
  readonly withdrawals: boolean;
}

interface Membership {
  readonly accountNumber: string;
  readonly personId: string;
}

const CHOICES = {
  payments: nullable(word(...PAYMENT_CHOICES)),
  ...pick(tables.notification_choices, "disputes", "withdrawals"),
};
const MEMBER = {
  ...pick(tables.members, "person_id"),
  role: word<Role>(),
  ...pick(tables.persons, "email"),
  ...outer(CHOICES),
};

export async function notificationChoices(
  db: Queryable,
  { accountNumber, personId }: Membership,
  role: Role,
): Promise<NotificationChoices> {
  const chosen = await db.maybeOne(sqlOf(CHOICES)`
    select ${columns(CHOICES)} from notification_choices
    where account_number = ${accountNumber} and person_id = ${personId}`);
  return chosenOr(usualChoices(role), chosen);
}

/** Null: the form did not show it, so it stays as it is, chosen or not. */
export async function setNotificationChoices(
  db: Queryable,
  { accountNumber, personId }: Membership,
  { payments, disputes, withdrawals }: Readonly<Row<typeof CHOICES>>,
): Promise<void> {
  await db.run(sql`
    insert into notification_choices as stored
      (account_number, person_id, payments, disputes, withdrawals)
    values (${accountNumber}, ${personId}, ${payments}, ${disputes}, ${withdrawals})
    on conflict on constraint a_member_chooses_once do update
      set payments = coalesce(excluded.payments, stored.payments),
        disputes = coalesce(excluded.disputes, stored.disputes),
        withdrawals = coalesce(excluded.withdrawals, stored.withdrawals), updated_at = app_now()`);
}

/** Members of an open account, each with what is wanted. */
export async function choicesOfMembers(
  db: Queryable,
  accountNumber: string,
): Promise<(NotificationChoices & { readonly personId: string; readonly email: string })[]> {
  const members = sqlOf(MEMBER)`
    select person_id, role, persons.email, payments, disputes, withdrawals
    from members join persons using (person_id) join accounts using (account_number)
      left join notification_choices using (account_number, person_id)
    where account_number = ${accountNumber} and accounts.status = 'active'
    order by persons.email`;
  const rows = await db.rows(prepared("members-to-notify", members));
  return rows.map(({ person_id: personId, email, role, ...row }) => {
    const wanted = chosenOr(usualChoices(role), row);
    const mayRead = mayDo(role, "payments");
    return {
      personId,
      email,
      payments: mayRead ? wanted.payments : "none",
      disputes: mayRead && wanted.disputes,
      withdrawals: mayDo(role, "withdrawals") && wanted.withdrawals,
    };
  });
}

function chosenOr(
  usual: NotificationChoices,
  chosen: Row<typeof CHOICES> | undefined,
): NotificationChoices {
  return {
    payments: chosen?.payments ?? usual.payments,
    disputes: chosen?.disputes ?? usual.disputes,
    withdrawals: chosen?.withdrawals ?? usual.withdrawals,
  };
}

/** Somebody who sells by links has no program that is told of payments. */
function usualChoices(role: Role): NotificationChoices {
  const isAboutMoney = role === "owner" || role === "finance";
  return {
    payments: role === "owner" ? "by_link" : "none",
    disputes: isAboutMoney,
    withdrawals: isAboutMoney,
  };
}
