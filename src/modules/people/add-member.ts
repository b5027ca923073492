/** Writes down a new person, and what a person may do for an account. */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Money } from "../../kit/money.ts";
import type { Role } from "../../kit/roles.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly password: PasswordDigest;
}

export async function addPerson(tx: Tx, { email, name, password }: NewPerson): Promise<string> {
  const { person_id } = await tx.one(sqlOf(pick(tables.persons, "person_id"))`
    insert into persons (email, full_name, password_digest, pepper_id)
    values (${email}, ${name}, ${password.digest}, ${password.pepperId})
    returning person_id`);
  return person_id;
}

export interface NewMember {
  readonly accountNumber: string;
  readonly personId: string;
  readonly role: Role;
  readonly refundLimits?: readonly Money[] | undefined;
}

export async function addMember(tx: Tx, member: NewMember): Promise<void> {
  const { accountNumber, personId, role, refundLimits = [] } = member;
  await tx.run(sql`
    insert into members (account_number, person_id, role)
    values (${accountNumber}, ${personId}, ${role})
    on conflict (account_number, person_id) do nothing`);
  for (const { currency, minor } of refundLimits)
    await tx.run(sql`
      insert into member_refund_limits (account_number, person_id, currency, limit_minor)
      values (${accountNumber}, ${personId}, ${currency}, ${minor})`);
}
