/** Where an account's picture is served; null while it has none. */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

export async function pictureUrl(
  db: Queryable,
  config: Config,
  accountNumber: string,
): Promise<string | null> {
  const row = await db.maybeOne(sqlOf(pick(tables.pictures, "picture_id"))`
    select picture_id from pictures where account_number = ${accountNumber}`);
  return row === undefined ? null : `${config.http.publicUrl}/pictures/${row.picture_id}`;
}
