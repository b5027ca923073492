/**
 * What the members of an account call it: the name of its business, else the names of its holder,
 * as its customers do (Decision 0093).
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import { computed, text } from "../../infra/db/row.ts";

/** `account`: what the statement calls the row of the account. */
export function accountName(account: Sql = sql`accounts`) {
  return computed(
    text,
    sql`coalesce(
      (select business_name from businesses as one
        where one.account_number = ${account}.account_number),
      ${holderText(account)})`,
  );
}

/** Whose money it is, by law. */
export function holderName(account: Sql) {
  return computed(text, holderText(account));
}

function holderText(account: Sql): Sql {
  return sql`${account}.first_name || ' ' || ${account}.last_name`;
}
