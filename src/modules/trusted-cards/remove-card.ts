/**
 * What every end of a card does, whoever ends it: its key and its box are destroyed, the merchant
 * is told, and the small amount goes back if it has not yet (Decision 0043). Whoever calls this
 * holds the card's row.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { dueReturn } from "./return-charge.ts";
import { CARD_COLUMNS, type CardRow, tellOfCard } from "./trusted-card.ts";

export type RemovedBecause =
  | "the merchant deleted it"
  | "three wrong tries"
  | "not verified in time"
  | "the account was closed";

export async function removeCard(
  tx: Tx,
  { card_uuid }: Pick<CardRow, "card_uuid">,
  because: RemovedBecause,
): Promise<void> {
  const row = await tx.one<CardRow & Record<string, unknown>>(sql`
    update trusted_cards
    set state = 'deleted', deleted_at = app_now(), deleted_because = ${because},
      wrapped_with = null, key_box = null, card_box = null, fingerprint = null
    where card_uuid = ${card_uuid}
    returning ${CARD_COLUMNS}`);
  await tellOfCard(tx, row, "trusted_card.deleted");
  await dueReturn(tx, row);
}
