/**
 * A merchant deletes a card: nobody can read it from then on, and no charge follows the answer
 * (Decision 0043).
 *
 * The rule that matters: while a charge of the card is undecided the deletion is refused, because
 * the gateway may have it and money may still move. A charge whose customer has not sent the
 * security code yet is no obstacle: it finds the card gone.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { ServiceError } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { removeCard } from "./remove-card.ts";
import { lockCard, type WantedCard } from "./trusted-card.ts";

export class CardIsBeingCharged extends ServiceError {
  constructor(transactionId: string) {
    super({
      status: 409,
      code: "card_is_being_charged",
      message: "The card is being charged. Try again when that is decided.",
      headers: { "retry-after": "10" },
      cause: transactionId,
    });
  }
}

export async function deleteCard(tx: Tx, caller: Caller, wanted: WantedCard): Promise<void> {
  await holdCredential(tx, caller, "read");
  const card = await lockCard(tx, wanted);
  // After the lock: an attempt is written by whoever holds the card, so none is missed.
  const [underWay] = await tx.rows<{ transaction_id: string }>(sql`
    select transaction_id from card_charges join checkout_attempts using (transaction_id)
    where card_uuid = ${card.card_uuid} and state in ('submitted', 'challenged', 'unknown')
    limit 1`);
  if (underWay !== undefined) throw new CardIsBeingCharged(underWay.transaction_id);
  await removeCard(tx, card, "the merchant deleted it", caller);
}
