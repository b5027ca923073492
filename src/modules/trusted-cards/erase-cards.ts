/**
 * A customer's saved cards are deleted as a merchant would do it, and what the customer wrote on
 * them is erased (Decision 0122). A saved card names no e-mail: those are the customer's with which
 * payments of the customer were made.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { PaymentIsOpen } from "../transactions/erase-payments.ts";
import { removeCard } from "./delete-card.ts";
import { CARD } from "./trusted-card.ts";

/** Also those that are deleted. */
export function cardsOfPayments(db: Queryable, transactionIds: readonly string[]) {
  return db.rows(sqlOf(CARD)`
    select ${columns(CARD)} from trusted_cards
    where card_uuid in (
      select card_uuid from card_charges where transaction_id = any (${transactionIds}))
    order by card_uuid`);
}

/** A charge that is under way, of this customer's payments or any other with the card. */
export async function demandNotCharged(db: Queryable, uuids: readonly string[]): Promise<void> {
  const underWay = await db.maybeOne(sqlOf({ transaction_id: text })`
    select transaction_id from card_charges join transactions using (transaction_id)
    where card_uuid = any (${uuids}) and status = 'incomplete'
    order by transaction_id limit 1`);
  if (underWay !== undefined)
    throw new PaymentIsOpen(underWay.transaction_id, "a saved card is being charged.");
}

const PLACE = pick(tables.trusted_cards, "transaction_id", "account_number", "environment");

/** Returns whose events tell of them, and how many were deleted now. */
export async function eraseCards(
  tx: Tx,
  transactionIds: readonly string[],
  /** Absent: an operator, or their time. */
  by?: Caller,
) {
  const uuids = (await cardsOfPayments(tx, transactionIds)).map(({ card_uuid }) => card_uuid);
  const there = await tx.rows(sqlOf(pick(tables.trusted_cards, "card_uuid", "state"))`
    select card_uuid, state from trusted_cards where card_uuid = any (${uuids})
    order by card_uuid for no key update`);
  await demandNotCharged(tx, uuids);
  const kept = there.filter(({ state }) => state !== "deleted");
  for (const card of kept) await removeCard(tx, card, "the customer's data was erased", by);
  await tx.run(sql`
    update trusted_cards set holder = '' where card_uuid = any (${uuids}) and holder <> ''`);
  const places = await tx.rows(sqlOf(PLACE)`
    select ${columns(PLACE)} from trusted_cards where card_uuid = any (${uuids})`);
  await eraseChecks(
    tx,
    places.map(({ transaction_id }) => transaction_id),
  );
  return { deleted: kept.length, checks: places.map(({ transaction_id }) => transaction_id) };
}

/** What the merchant passed through when the card was saved. */
export async function eraseChecks(tx: Tx, transactionIds: readonly string[]): Promise<number> {
  return tx.run(sql`
    update card_checks set data = ''
    where transaction_id = any (${transactionIds}) and status <> 'incomplete' and data <> ''`);
}

/** When something was told of the cards that these checks made. */
export function momentsOfCards(db: Queryable, checks: readonly string[]) {
  return db.rows(sqlOf({ ...PLACE, at: tables.trusted_cards.created_at })`
    select transaction_id, account_number, environment, at from trusted_cards
    cross join lateral (
      select unnest(array[created_at, verified_at, deleted_at]) as at
    ) as moment
    where transaction_id = any (${checks}) and at is not null`);
}
