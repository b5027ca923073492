/** An account's endpoints, newest first, as far as the credential reaches. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { PageAsked } from "../../kit/page.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow } from "./endpoint.ts";

export async function listEndpoints(
  db: Queryable,
  whose: { accountNumber: string; environment: Environment | undefined },
  asked: PageAsked,
): Promise<{ rows: EndpointRow[]; total: number }> {
  const wanted = sql`account_number = ${whose.accountNumber} and status <> 'deleted'
    and environment = coalesce(${whose.environment ?? null}, environment)`;
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from webhook_endpoints where ${wanted}`);
  const rows = await db.rows(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints where ${wanted}
    order by created_at desc, endpoint_id desc
    limit ${asked.page_size} offset ${(asked.page - 1) * asked.page_size}`);
  return { rows, total };
}
