/**
 * A merchant deletes a card: it cannot be read from then on, and no charge follows the answer
 * (Decision 0043).
 *
 * While a charge of the card is undecided the deletion is refused, because the gateway may have it
 * and money may still move. A charge whose customer has not sent the security code yet is no
 * obstacle: it finds the card gone.
 */

import { insertAudit, recordAudit } from "../../infra/audit.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { text } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { dueReturn } from "./return-check.ts";
import {
  CARD,
  CARD_COLUMNS,
  type CardRow,
  lockCard,
  tellOfCard,
  type WantedCard,
} from "./trusted-card.ts";

export class CardIsBeingCharged extends fixedRefusal("card_is_being_charged", {
  headers: { "retry-after": "10" },
}) {}

export async function deleteCard(tx: Tx, caller: Caller, wanted: WantedCard): Promise<void> {
  await holdCredential(tx, caller, "read");
  const card = await lockCard(tx, wanted);
  // After the lock: an attempt is written while the card is locked, so none is missed.
  const [underWay] = await tx.rows(sqlOf({ transaction_id: text })`
    select transaction_id from card_charges join checkout_attempts using (transaction_id)
    where card_uuid = ${card.card_uuid} and state in ('submitted', 'challenged', 'unknown')
    limit 1`);
  if (underWay !== undefined) throw new CardIsBeingCharged(underWay.transaction_id);
  await removeCard(tx, card, "the merchant deleted it", caller);
}

export type RemovedBecause =
  | "the merchant deleted it"
  | "three wrong tries"
  | "not verified in time"
  | "the account was closed"
  | "the customer's data was erased";

/**
 * What every end of a card does, whatever the reason: its key and its box are destroyed, the
 * merchant gets an event, and the small amount goes back if it has not yet (Decision 0043). The
 * caller has locked the card's row.
 */
export async function removeCard(
  tx: Tx,
  { card_uuid: uuid }: Pick<CardRow, "card_uuid">,
  because: RemovedBecause,
  /** Absent: its time came. */
  by?: Caller,
): Promise<void> {
  const row = await tx.one(sqlOf(CARD)`
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
