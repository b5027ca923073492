/** An account's keys, newest first, revoked ones included: what existed is part of the answer. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { PageAsked } from "../../kit/page.ts";
import { KEY, KEY_COLUMNS, type KeyRow } from "./api-key.ts";

export async function listKeys(
  db: Queryable,
  accountNumber: string,
  asked: PageAsked,
): Promise<{ rows: KeyRow[]; total: number }> {
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from api_keys where account_number = ${accountNumber}`);
  const rows = await db.rows(sqlOf(KEY)`
    select ${KEY_COLUMNS} from api_keys where account_number = ${accountNumber}
    order by created_at desc, kid desc
    limit ${asked.page_size} offset ${(asked.page - 1) * asked.page_size}`);
  return { rows, total };
}
