/**
 * The purpose of charging a saved card (Decision 0042): a payment like any other, but for the card,
 * of which the customer types the security code alone.
 *
 * An attempt is written only while the card's row is locked and says that the card may be charged.
 * So a deletion either finds the attempt, and waits for its end, or comes first and no attempt
 * follows.
 */

import assert from "node:assert/strict";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { readCvv } from "../checkout/form/card-fields.ts";
import {
  CardUnusable,
  type NewAttempt,
  type Purpose,
  type SessionContext,
} from "../checkout/session/context.ts";
import { PAYMENT_COLUMNS, paymentPurpose } from "../checkout/session/payment-purpose.ts";
import { declinedMessage, UNUSABLE } from "../checkout/session/result-messages.ts";
import type { SessionView } from "../checkout/session/session.ts";
import type { Card } from "../gateway/port.ts";
import { KEPT, KEPT_COLUMNS, missingKey, openKept } from "./kept-card.ts";
import type { CardRow } from "./trusted-card.ts";
import { cardAlarm, noteAlarm, raiseAlarm } from "./vault-alarm.ts";

const GONE = "[2-R14]: The saved card was deleted.";

const CHARGED = {
  ...pick(tables.trusted_cards, "card_uuid", "account_number", "environment"),
  ...pick(tables.trusted_cards, "state", "wrapped_with"),
  transaction_id: text,
};

export const chargingPurpose: Purpose = {
  ...paymentPurpose,

  record: {
    columns: {
      ...PAYMENT_COLUMNS,
      stored_uuid: sql`card.card_uuid`,
      stored_brand: sql`card.card_type`,
      stored_last_four: sql`card.last_four`,
      stored_exp_month: sql`card.exp_month`,
      stored_exp_year: sql`card.exp_year`,
    },
    from: sql`card_charges as charge
      join transactions as payment on payment.transaction_id = charge.transaction_id
      join trusted_cards as card on card.card_uuid = charge.card_uuid
      where charge.transaction_id = session.transaction_id and session.purpose = 'charge'`,
  },

  async readCard(ctx, session, form, rules) {
    const { stored } = session;
    const cvv = readCvv(form.cvv ?? "", rules);
    if ("message" in cvv) return { problems: [{ field: "cvv", message: cvv.message }] };
    assert(stored !== undefined, "a charge is of a stored card");
    const open = () => openCharged(ctx, session, cvv.value);
    return { network: stored.brand, lastFour: stored.lastFour, number: undefined, open };
  },

  async begin(ctx, tx, attempts) {
    const ids = attempts.map(({ session }) => session.transactionId);
    const cards = await tx.rows(sqlOf(CHARGED)`
      select card_charges.transaction_id, card_uuid, account_number, environment, state,
        wrapped_with
      from trusted_cards join card_charges using (card_uuid)
      where card_charges.transaction_id = any(${ids}) order by card_uuid
      for share of trusted_cards`);
    const refusals = [];
    for (const { session } of attempts) {
      const card = cards.find((one) => one.transaction_id === session.transactionId);
      assert(card !== undefined, "a charge is of a stored card");
      refusals.push(await refusalOf(ctx, tx, card, session));
    }
    return refusals;
  },
};

async function refusalOf(
  ctx: SessionContext,
  tx: Tx,
  card: Row<typeof CHARGED>,
  session: NewAttempt["session"],
): Promise<string | Error | undefined> {
  if (!isOfSame(card, session)) {
    await noteAlarm(ctx, tx, cardAlarm(card));
    return declinedMessage(UNUSABLE);
  }
  if (card.state !== "verified" || card.wrapped_with === null) return GONE;
  return missingKey(ctx, { wrapped_with: card.wrapped_with });
}

/** A client of the database could name another merchant's card, which opens in its row. */
function isOfSame(
  card: Pick<CardRow, "account_number" | "environment">,
  payment: Pick<SessionView, "accountNumber" | "environment">,
): boolean {
  return card.account_number === payment.accountNumber && card.environment === payment.environment;
}

/** Into the memory of the gateway call that waits for it, and nowhere else. */
async function openCharged(ctx: SessionContext, session: SessionView, cvv: string): Promise<Card> {
  const { transactionId } = session;
  const row = await ctx.db.maybeOne(sqlOf(KEPT)`
    select ${KEPT_COLUMNS} from trusted_cards
    where state = 'verified' and card_uuid = (
      select card_uuid from card_charges where transaction_id = ${transactionId})`);
  if (row === undefined) throw new CardUnusable(`the card of ${transactionId} is gone`);
  const kept = isOfSame(row, session) ? openKept(ctx, row) : undefined;
  if (kept !== undefined) return { ...kept, cvv };
  await raiseAlarm(ctx, cardAlarm(row));
  throw new CardUnusable(`the card ${row.card_uuid} does not open`);
}
