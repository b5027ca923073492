/** Goes through one account or all, for what is found by indexes that begin with the account. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

/** What is looked for in so many takes some 100 ms. */
const AT_ONCE = 2_000;

/** The numbers of the accounts to look at, some at a time. */
export async function* accountsOf(
  db: Queryable,
  { accountNumber }: { readonly accountNumber: string | undefined },
): AsyncGenerator<string[]> {
  if (accountNumber !== undefined) {
    yield [accountNumber];
    return;
  }
  for (let last = ""; ; ) {
    const rows = await db.rows(sqlOf(pick(tables.accounts, "account_number"))`
      select account_number from accounts where account_number > ${last}
      order by account_number limit ${AT_ONCE}`);
    const numbers = rows.map(({ account_number }) => account_number);
    if (numbers.length > 0) yield numbers;
    const end = numbers.at(-1);
    if (end === undefined || numbers.length < AT_ONCE) return;
    last = end;
  }
}
