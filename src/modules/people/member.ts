/** Members of accounts: which accounts a person acts for, who acts for an account. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, pick, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Money, money } from "../../kit/money.ts";
import type { Role } from "../../kit/roles.ts";
import { accountName } from "./account-name.ts";
import { PERSON, PERSONS, personOf } from "./person.ts";

const MEMBERSHIP = {
  account_number: computed(tables.members.account_number, sql`members.account_number`),
  role: word<Role>(),
  account_name: accountName(),
};

/** Of open accounts, those the person holds first. */
export function membershipsOf(db: Queryable, personId: string) {
  return db.rows(sqlOf(MEMBERSHIP)`
    select ${columns(MEMBERSHIP)}
    from members join accounts using (account_number) join persons using (person_id)
    where person_id = ${personId} and accounts.status = 'active'
    order by holder_of is not distinct from members.account_number desc, members.created_at,
      members.account_number`);
}

const MEMBER = {
  ...PERSON,
  role: word<Role>(),
  has_second_factor: computed(
    bool,
    sql`exists (select from passkeys where passkeys.person_id = persons.person_id)
      or exists (select from totp_secrets
        where totp_secrets.person_id = persons.person_id and confirmed_at is not null)`,
  ),
};

export interface Member extends ReturnType<typeof personOf> {
  readonly role: Role;
  readonly hasSecondFactor: boolean;
}

export async function membersOf(db: Queryable, accountNumber: string): Promise<Member[]> {
  const rows = await db.rows(sqlOf(MEMBER)`
    select ${columns(MEMBER)} from members join (${PERSONS}) using (person_id)
    where members.account_number = ${accountNumber}
    order by array_position(array['owner', 'admin', 'finance', 'developer', 'support', 'viewer'],
      role), persons.email`);
  return rows.map((row) => ({
    ...personOf(row),
    role: row.role,
    hasSecondFactor: row.has_second_factor,
  }));
}

const ADDRESS = { email: tables.persons.email };

/** Where news of an account's security goes. */
export async function ownerEmails(db: Queryable, accountNumber: string): Promise<string[]> {
  const rows = await db.rows(sqlOf(ADDRESS)`
    select email from members join persons using (person_id)
    where account_number = ${accountNumber} and role = 'owner' order by email`);
  return rows.map(({ email }) => email);
}

const LIMIT = pick(tables.member_refund_limits, "currency", "limit_minor");

export async function refundLimitsOf(
  db: Queryable,
  { accountNumber, personId }: { readonly accountNumber: string; readonly personId: string },
): Promise<Money[]> {
  const rows = await db.rows(sqlOf(LIMIT)`
    select ${columns(LIMIT)} from member_refund_limits
    where account_number = ${accountNumber} and person_id = ${personId} order by currency`);
  return rows.map(({ currency, limit_minor }) => money(currency, limit_minor));
}
