/**
 * What every end of a card does, whoever ends it: its key and its box are destroyed, the merchant
 * and the audit trail are told, and the small amount goes back if it has not yet (Decision 0043).
 * Whoever calls this holds the card's row.
 */

import { insertAudit, recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { dueReturn } from "./return-check.ts";
import { CARD_COLUMNS, type CardRow, tellOfCard } from "./trusted-card.ts";

export type RemovedBecause =
  | "the merchant deleted it"
  | "three wrong tries"
  | "not verified in time"
  | "the account was closed";

export async function removeCard(
  tx: Tx,
  { card_uuid: uuid }: Pick<CardRow, "card_uuid">,
  because: RemovedBecause,
  /** Absent: nobody asked for it, its time came. */
  by?: Caller,
): Promise<void> {
  const row = await tx.one<CardRow & Record<string, unknown>>(sql`
    update trusted_cards
    set state = 'deleted', deleted_at = app_now(), deleted_because = ${because},
      wrapped_with = null, key_box = null, card_box = null, fingerprint = null
    where card_uuid = ${uuid}
    returning ${CARD_COLUMNS}`);
  const action = "trusted_card_deleted";
  const detail = { uuid, because };
  const { account_number: accountNumber } = row;
  if (by !== undefined) await recordAudit(tx, by, action, { detail });
  else await insertAudit(tx, { action, accountNumber, actor: "trusted cards", detail });
  await tellOfCard(tx, row, "trusted_card.deleted");
  await dueReturn(tx, row);
}
