/**
 * Trusted cards: left by a customer with a merchant, verified by the merchant, charged through the
 * hosted page (Interface §4.5, Decision 0043).
 *
 * A card is judged and changed while its row is locked, so that a verification, a charge and a
 * deletion are serialised; a session is locked before its card. A deleted card is not found, nor is
 * one whose time to be verified is over, even before it is marked as deleted.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, omit, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import type { PageAsked } from "../../kit/page.ts";
import {
  countSchema,
  flagSchema,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import type { EventName } from "../events/catalogue.ts";
import { recordEvent } from "../events/record-event.ts";

/** A card without its end and without what the vault needs; `verified_at` outlives a deletion. */
export const CARD = omit(
  tables.trusted_cards,
  "deleted_at",
  "deleted_because",
  "key_version",
  "wrapped_with",
  "key_box",
  "card_box",
  "fingerprint",
);

export type CardRow = Row<typeof CARD>;

export const CARD_COLUMNS = columns(CARD);

export const IS_THERE = sql`
  (state = 'verified' or (state = 'unverified' and verify_expires_at > app_now()))`;

export interface WantedCard {
  readonly uuid: string;
  readonly accountNumber: string;
  /** Undefined: either, as far as the credential reaches. */
  readonly environment: Environment | undefined;
}

/** Unknown, another account's, deleted and of the other environment are one 404. */
export function findCard(db: Queryable, wanted: WantedCard): Promise<CardRow> {
  return find(db, wanted, sql``);
}

/** To change it. */
export function lockCard(tx: Tx, wanted: WantedCard): Promise<CardRow> {
  return find(tx, wanted, sql`for no key update`);
}

/** To keep it as it is. */
export function holdCard(tx: Tx, wanted: WantedCard): Promise<CardRow> {
  return find(tx, wanted, sql`for share`);
}

async function find(db: Queryable, wanted: WantedCard, lock: Sql): Promise<CardRow> {
  const { uuid, accountNumber, environment = null } = wanted;
  if (!UUID.test(uuid)) throw new NotFound("not the shape of a uuid");
  const row = await db.maybeOne(sqlOf(CARD)`
    select ${CARD_COLUMNS} from trusted_cards
    where card_uuid = ${uuid} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment) and ${IS_THERE} ${lock}`);
  if (row === undefined) throw new NotFound("no such card, or not within reach");
  return row;
}

/** An account's cards of one environment, newest first. */
export async function listCards(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  page: PageAsked,
): Promise<{ rows: CardRow[]; total: number }> {
  // That it is not deleted follows from the rest, and is what the index is made for.
  const own = sql`account_number = ${accountNumber} and environment = ${environment}
    and state <> 'deleted' and ${IS_THERE}`;
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from trusted_cards where ${own}`);
  const rows = await db.rows(sqlOf(CARD)`
    select ${CARD_COLUMNS} from trusted_cards where ${own}
    order by created_at desc, card_uuid desc
    limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`);
  return { rows, total };
}

export const cardView = Type.Object(
  {
    uuid: uuidSchema("Of the card. Keep it: it is how the card is charged, verified and deleted."),
    environment: wordSchema(ENVIRONMENTS, "Where it was saved.", "sandbox"),
    card_type: wordSchema(["visa", "mastercard"], "Its network."),
    pan: textSchema("Its last four digits.", "************1111"),
    exp_month: countSchema("The month in which it ends.", 12, { minimum: 1, maximum: 12 }),
    exp_year: countSchema("The year.", 2029),
    name: textSchema("As the customer wrote it.", "Anika Mohammed"),
    verified: flagSchema("Whether it may be charged.", true),
    verify_expires_at: timestampSchema(
      "Until when it can be verified.",
      "2026-11-16T14:03:07.412Z",
    ),
    created_at: timestampSchema("When it was saved."),
  },
  { title: "TrustedCard" },
);

/** Twelve stars whatever the length of the number, which is not shown. */
export function viewCard(row: CardRow) {
  return {
    uuid: row.card_uuid,
    environment: row.environment,
    card_type: row.card_type,
    pan: `************${row.last_four}`,
    exp_month: row.exp_month,
    exp_year: row.exp_year,
    name: row.holder,
    verified: row.verified_at !== null,
    verify_expires_at: row.verify_expires_at,
    created_at: row.created_at,
  };
}

/** The record as it is then; never what the small amount was. */
export async function tellOfCard(
  tx: Tx,
  row: CardRow,
  event: Extract<EventName, `trusted_card.${string}`>,
): Promise<void> {
  await recordEvent(tx, {
    accountNumber: row.account_number,
    environment: row.environment,
    event,
    // What the redirect gave the merchant to keep; of one card, so its events stay in order.
    resource: row.transaction_id,
    record: viewCard(row),
  });
}
