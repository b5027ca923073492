/** An account's cards of one environment, newest first. */

import { type Queryable, sql } from "../../infra/db/query.ts";
import type { PageAsked } from "../../kit/page.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { CARD_COLUMNS, type CardRow, IS_THERE } from "./trusted-card.ts";

export async function listCards(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  asked: PageAsked,
): Promise<{ rows: CardRow[]; total: number }> {
  // That it is not deleted follows from the rest, and is what the index is made for.
  const own = sql`account_number = ${accountNumber} and environment = ${environment}
    and state <> 'deleted' and ${IS_THERE}`;
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from trusted_cards where ${own}`);
  const rows = await db.rows<CardRow & Record<string, unknown>>(sql`
    select ${CARD_COLUMNS} from trusted_cards where ${own}
    order by created_at desc, card_uuid desc
    limit ${asked.page_size} offset ${(asked.page - 1) * asked.page_size}`);
  return { rows, total };
}
