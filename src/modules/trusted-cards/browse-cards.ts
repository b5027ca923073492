/**
 * An account's cards page by page, newest first. A page is reached by the card it begins behind, so
 * cards that are saved meanwhile shift nothing, and the last page costs no more than the first.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { FieldRefused } from "../../kit/errors.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { CARD, CARD_COLUMNS, type CardRow, IS_THERE } from "./trusted-card.ts";

export interface CardPage {
  readonly rows: readonly CardRow[];
  /** Cursors of the pages beside this one; undefined at an end of the list. */
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

interface Cursor {
  readonly towards: "older" | "newer";
  readonly at: Date;
  readonly uuid: string;
}

const CURSOR =
  /^(?<side>[on]) (?<at>\d{1,15}) (?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const TIME_MS_MAX = Date.UTC(9999, 11, 31);

export async function browseCards(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  page: { readonly cursor: string | undefined; readonly pageSize: number },
): Promise<CardPage> {
  const cursor = page.cursor === undefined ? undefined : readCursor(page.cursor);
  const isUp = cursor?.towards === "newer";
  const beyond =
    cursor === undefined
      ? sql``
      : sql`and (created_at, card_uuid) ${isUp ? sql`>` : sql`<`} (${cursor.at}, ${cursor.uuid})`;
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
    older: hasOlder ? writeCursor("older", rows.at(-1)) : undefined,
    newer: hasNewer ? writeCursor("newer", rows[0]) : undefined,
  };
}

function writeCursor(towards: Cursor["towards"], card: CardRow | undefined): string | undefined {
  if (card === undefined) return undefined;
  const side = towards === "older" ? "o" : "n";
  const text = `${side} ${card.created_at.getTime()} ${card.card_uuid}`;
  return Buffer.from(text).toString("base64url");
}

function readCursor(written: string): Cursor {
  const parts = CURSOR.exec(Buffer.from(written, "base64url").toString("latin1"))?.groups;
  const at = Number(parts?.at);
  if (parts?.uuid === undefined || at > TIME_MS_MAX)
    throw new FieldRefused("The page must come from a link of this list.", { field: "page" });
  return { towards: parts.side === "o" ? "older" : "newer", at: new Date(at), uuid: parts.uuid };
}
