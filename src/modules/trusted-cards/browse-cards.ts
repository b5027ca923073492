/**
 * An account's cards page by page, newest first. A page is reached by the card it begins behind, so
 * cards that are saved meanwhile shift nothing, and the last page costs no more than the first.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { type Cursor, readCursor, writeCursor } from "../../kit/cursor.ts";
import { UUID } from "../../kit/ids.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { CARD, CARD_COLUMNS, type CardRow, IS_THERE } from "./trusted-card.ts";

export interface CardPage {
  readonly rows: readonly CardRow[];
  /** Cursors of the pages beside this one; undefined at an end of the list. */
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

export async function browseCards(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  page: { readonly cursor: string | undefined; readonly pageSize: number },
): Promise<CardPage> {
  const cursor = page.cursor === undefined ? undefined : readCursor(page.cursor, { form: UUID });
  const isUp = cursor?.towards === "newer";
  const beyond =
    cursor === undefined
      ? sql``
      : sql`and (created_at, card_uuid) ${isUp ? sql`>` : sql`<`} (${cursor.at}, ${cursor.id})`;
  const found = await db.rows(sqlOf(CARD)`
    select ${CARD_COLUMNS} from trusted_cards
    where account_number = ${accountNumber} and environment = ${environment}
      and state <> 'deleted' and ${IS_THERE} ${beyond}
    order by ${isUp ? sql`created_at, card_uuid` : sql`created_at desc, card_uuid desc`}
    limit ${page.pageSize + 1}`);
  const hasMore = found.length > page.pageSize;
  const taken = found.slice(0, page.pageSize);
  const rows = isUp ? taken.toReversed() : taken;
  // Where the page was entered there are cards on the other side.
  const hasOlder = isUp || hasMore;
  const hasNewer = isUp ? hasMore : cursor !== undefined;
  return {
    rows,
    older: hasOlder ? behind("older", rows.at(-1)) : undefined,
    newer: hasNewer ? behind("newer", rows[0]) : undefined,
  };
}

function behind(towards: Cursor["towards"], card: CardRow | undefined): string | undefined {
  return card && writeCursor({ towards, at: card.created_at, id: card.card_uuid });
}
