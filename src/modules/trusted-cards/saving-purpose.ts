/**
 * The purpose of saving a card (Decisions 0042 and 0043): the session charges the small amount that
 * proves it, and an approval makes the card's record. Declined, nothing of the card is kept.
 *
 * The rule that matters: the card is sealed and kept with the attempt, before its bank is asked,
 * because the answer may come to another process; and it is destroyed with every end but a success.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { insertAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { formatMoney } from "../../kit/money.ts";
import { mergeIntoUrl, type Parameter } from "../checkout/result/merge-into-url.ts";
import { paymentKeysOf } from "../checkout/result/payment-keys.ts";
import { signed } from "../checkout/result/result-parameters.ts";
import { paymentPurpose } from "../checkout/session/payment-purpose.ts";
import type { Purpose } from "../checkout/session/purpose.ts";
import { sealCard } from "../gateway/card-vault.ts";
import { post } from "../ledger/post.ts";
import { cardCheckCharged } from "../ledger/recipes.ts";
import type { PaymentResult } from "../transactions/finalise-transaction.ts";
import { amountOf, CHECK_COLUMNS, type CheckRow } from "./card-check.ts";
import { fingerprintOf } from "./kept-card.ts";
import { CARD_COLUMNS, type CardRow, tellOfCard } from "./trusted-card.ts";
import { fingerprintAlarm, noteAlarm } from "./vault-alarm.ts";
import { secondsUntilGuess } from "./wrong-amounts.ts";

const VERIFY_HOURS = 24;
const NOT_NOW = "[2-R93]: Cards cannot be saved at the moment.";
const GUESSED_AT = "[2-R15]: This card was verified wrongly too often. Try it again tomorrow.";

export const savingPurpose: Purpose = {
  beginsTogether: false,
  isApprovedTogether: false,

  record: {
    columns: {
      account_number: sql`proof.account_number`,
      environment: sql`proof.environment`,
      currency: sql`'USD'`,
      order_id: sql`''`,
      total_minor: sql`proof.amount_minor`,
      customer_total_minor: sql`proof.amount_minor`,
      fee_structure: sql`'merchant_absorb'`,
      method: sql`'credit_card_co'`,
      status: sql`proof.status`,
      message: sql`proof.message`,
      card_brand: sql`proof.card_brand`,
      card_last_four: sql`proof.card_last_four`,
      customer: sql`'{}'::jsonb`,
      is_amount_secret: sql`proof.environment = 'live'`,
      stored_uuid: sql`null::uuid`,
      stored_brand: sql`null::text`,
      stored_last_four: sql`null::text`,
      stored_exp_month: sql`null::int`,
      stored_exp_year: sql`null::int`,
    },
    from: sql`card_checks as proof
      where proof.transaction_id = session.transaction_id and session.purpose = 'card'`,
  },

  readCard: paymentPurpose.readCard,

  async begin(ctx, tx, { transaction_id, account_number: accountNumber, environment }, card) {
    const given = await card.open();
    const fingerprint = await fingerprintOf(ctx, tx, accountNumber, given.number);
    if (fingerprint === undefined) {
      await noteAlarm(ctx, tx, fingerprintAlarm(accountNumber));
      return NOT_NOW;
    }
    if ((await secondsUntilGuess(tx, { accountNumber, environment, fingerprint })) !== undefined)
      return GUESSED_AT;
    const uuid = randomUUID();
    const { wrappingKeys } = ctx.config;
    const identity = { uuid, accountNumber, environment, keyVersion: 1 };
    const { wrappedWith, keyBox, cardBox } = sealCard(wrappingKeys, identity, given);
    await tx.run(sql`
      update card_checks
      set card_uuid = ${uuid}, given_last_four = ${card.lastFour},
        exp_month = ${given.expiryMonth}, exp_year = ${given.expiryYear},
        holder = ${given.holder}, wrapped_with = ${wrappedWith}, key_box = ${keyBox},
        card_box = ${cardBox}, fingerprint = ${fingerprint}
      where transaction_id = ${transaction_id}`);
    return undefined;
  },

  async end(ctx, tx, { transaction_id }, result) {
    const card = result.status === "success" ? await makeCard(tx, transaction_id, result) : null;
    const check = await finaliseCheck(tx, transaction_id, result);
    if (card !== null) await tellOfCard(tx, card, "trusted_card.created");
    if (card !== null) await postCheck(tx, check);
    await ctx.failpoint("answer: payment ended");
  },

  /** No `hash`: it covers the amount, of which there are only fifty. */
  async returnUrl({ db, config }, { transactionId, responseUrl, accountNumber, environment }) {
    const check = await db.one<CheckRow & Record<string, unknown>>(sql`
      select ${CHECK_COLUMNS} from card_checks where transaction_id = ${transactionId}`);
    if (check.finalised_at === null) return undefined;
    const uuid: Parameter[] = check.card_uuid === null ? [] : [["uuid", check.card_uuid]];
    const total: Parameter[] =
      environment === "sandbox" ? [["total", formatMoney(amountOf(check))]] : [];
    const told: Parameter[] = [
      ["status", check.status],
      ["transaction_id", transactionId],
      ["message", check.message ?? ""],
      ...uuid,
      ...total,
      ["data", check.data],
    ];
    const { signingSecret } = await paymentKeysOf(db, config, { accountNumber, environment });
    return mergeIntoUrl(responseUrl, signed(told, signingSecret));
  },

  // The merchant was told that no card was saved, and has nothing to undo.
  async tellVoided() {},
};

async function makeCard(
  tx: Tx,
  transactionId: string,
  { card }: Extract<PaymentResult, { status: "success" }>,
): Promise<CardRow> {
  const row = await tx.one<CardRow & Record<string, unknown>>(sql`
    insert into trusted_cards (card_uuid, transaction_id, account_number, environment, card_type,
      last_four, exp_month, exp_year, holder, wrapped_with, key_box, card_box, fingerprint,
      created_at, verify_expires_at)
    select card_uuid, transaction_id, account_number, environment, ${card.brand},
      given_last_four, exp_month, exp_year, holder, wrapped_with, key_box, card_box, fingerprint,
      now, now + make_interval(hours => ${VERIFY_HOURS})
    -- One moment for both columns: the clock moves on between two calls.
    from card_checks, app_now() as now
    where transaction_id = ${transactionId} and status = 'incomplete'
    returning ${CARD_COLUMNS}`);
  assert.equal(row.last_four, card.lastFour, "the card that was kept is the one that was approved");
  await insertAudit(tx, {
    action: "trusted_card_created",
    accountNumber: row.account_number,
    actor: "checkout",
    detail: { transaction_id: transactionId, uuid: row.card_uuid },
  });
  return row;
}

async function finaliseCheck(
  tx: Tx,
  transactionId: string,
  { status, message, card }: PaymentResult,
): Promise<CheckRow> {
  return tx.one<CheckRow & Record<string, unknown>>(sql`
    update card_checks
    set status = ${status}, message = ${message}, card_brand = ${card?.brand ?? null},
      card_last_four = ${card?.lastFour ?? null}, finalised_at = app_now(),
      card_uuid = case when ${status} = 'success' then card_uuid end, given_last_four = null,
      exp_month = null, exp_year = null, holder = null, wrapped_with = null, key_box = null,
      card_box = null, fingerprint = null
    where transaction_id = ${transactionId} and status = 'incomplete'
    returning ${CHECK_COLUMNS}`);
}

/** The last thing in its tx, because the locks on balances last until its end. */
async function postCheck(tx: Tx, check: CheckRow): Promise<void> {
  const { transaction_id, account_number: accountNumber, environment } = check;
  await post(tx, {
    postingId: `card_check_charged ${transaction_id}`,
    environment,
    occasion: "card_check_charged",
    reference: transaction_id,
    transfers: cardCheckCharged({ accountNumber, amount: amountOf(check) }),
  });
}
