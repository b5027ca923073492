/** Who gets an account's monthly statement by mail: members who asked for it. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool } from "../../infra/db/row.ts";

interface Membership {
  readonly accountNumber: string;
  readonly personId: string;
}

export async function wantsStatements(
  db: Queryable,
  { accountNumber, personId }: Membership,
): Promise<boolean> {
  const { wanted } = await db.one(sqlOf({ wanted: bool })`
    select exists (select from statement_mails
      where account_number = ${accountNumber} and person_id = ${personId}) as wanted`);
  return wanted;
}

export async function setWantsStatements(
  db: Queryable,
  { accountNumber, personId }: Membership,
  wanted: boolean,
): Promise<void> {
  await db.run(
    wanted
      ? sql`insert into statement_mails (account_number, person_id)
          values (${accountNumber}, ${personId}) on conflict do nothing`
      : sql`delete from statement_mails
          where account_number = ${accountNumber} and person_id = ${personId}`,
  );
}
