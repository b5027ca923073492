/**
 * The purpose of saving a card (Decisions 0042 and 0043): the session charges the small amount that
 * proves it, and an approval makes the card's record. Declined, nothing of the card is kept.
 *
 * The card is sealed and kept with the attempt, before its bank is asked, because the answer may
 * come to another process; and it is destroyed with every end but a success.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { insertAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { formatMoney } from "../../kit/money.ts";
import { mergeIntoUrl, type Parameter } from "../checkout/result/merge-into-url.ts";
import { paymentKeysOf } from "../checkout/result/payment-keys.ts";
import { signed } from "../checkout/result/result-parameters.ts";
import type { NewAttempt, Purpose, SessionContext } from "../checkout/session/context.ts";
import { paymentPurpose } from "../checkout/session/payment-purpose.ts";
import { NO_STORED_CARD } from "../checkout/session/record.ts";
import { sealCard } from "../gateway/card-vault.ts";
import { RESULT, type ResultRow, resultRow } from "../transactions/finalise-transaction.ts";
import { amountOf, CHECK, CHECK_COLUMNS, type CheckRow, postingOf } from "./card-check.ts";
import { fingerprintOf } from "./kept-card.ts";
import { CARD, CARD_COLUMNS, type CardRow, tellOfCard } from "./trusted-card.ts";
import { fingerprintAlarm, noteAlarm } from "./vault-alarm.ts";
import { secondsUntilGuess } from "./wrong-amounts.ts";

const VERIFY_HOURS = 24;
const NOT_NOW = "[2-R93]: Cards cannot be saved at the moment.";
const GUESSED_AT = "[2-R15]: This card was verified wrongly too often. Try it again tomorrow.";

export const savingPurpose: Purpose = {
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
      details: sql`'{}'::jsonb`,
      language: sql`null::text`,
      description: sql`null::text`,
      items: sql`null::jsonb`,
      is_amount_secret: sql`proof.environment = 'live'`,
      ...NO_STORED_CARD,
    },
    from: sql`card_checks as proof
      where proof.transaction_id = session.transaction_id and session.purpose = 'card'`,
  },

  readCard: paymentPurpose.readCard,

  async begin(ctx, tx, attempts) {
    const refusals = [];
    for (const attempt of attempts) refusals.push(await keepCard(ctx, tx, attempt));
    return refusals;
  },

  async end(_ctx, tx, ends) {
    const results = ends.map(({ session, result }) =>
      resultRow({ ...result, transactionId: session.transaction_id }),
    );
    for (const card of await makeCards(tx, results)) {
      const { card_uuid: uuid, account_number: accountNumber, transaction_id } = card;
      const detail = { transaction_id, uuid };
      const entry = { action: "trusted_card_created", accountNumber, actor: "checkout", detail };
      await insertAudit(tx, entry);
      await tellOfCard(tx, card, "trusted_card.created");
    }
    const checks = await finaliseChecks(tx, results);
    assert.equal(checks.length, ends.length, "an open session's check has no result yet");
    return checks
      .filter(({ status }) => status === "success")
      .map((check) => postingOf(check, "card_check_charged"));
  },

  /** No `hash`: it covers the amount, of which there are only fifty. */
  async returnUrl({ db, config }, { transactionId, responseUrl, accountNumber, environment }) {
    const check = await db.one(sqlOf(CHECK)`
      select ${CHECK_COLUMNS} from card_checks where transaction_id = ${transactionId}`);
    if (check.finalised_at === null) return undefined;
    const parameters: Parameter[] = [
      ["status", check.status],
      ["transaction_id", transactionId],
      ["message", check.message ?? ""],
    ];
    if (check.card_uuid !== null) parameters.push(["uuid", check.card_uuid]);
    if (environment === "sandbox") parameters.push(["total", formatMoney(amountOf(check))]);
    parameters.push(["data", check.data]);
    const { signingSecret } = await paymentKeysOf(db, config, { accountNumber, environment });
    return mergeIntoUrl(responseUrl, signed(parameters, signingSecret));
  },

  // The merchant was told that no card was saved, and has nothing to undo.
  async tellVoided() {},
};

/** Seals the card beside the check, so that an approval can make its record. */
async function keepCard(
  ctx: SessionContext,
  tx: Tx,
  { session, card }: NewAttempt,
): Promise<string | Error | undefined> {
  const { transactionId, accountNumber, environment } = session;
  const given = await card.open();
  const fingerprint = await fingerprintOf(ctx, tx, accountNumber, given.number);
  if (fingerprint instanceof Error) return fingerprint;
  if (fingerprint === undefined) {
    await noteAlarm(ctx, tx, fingerprintAlarm(accountNumber));
    return NOT_NOW;
  }
  if ((await secondsUntilGuess(tx, { accountNumber, environment, fingerprint })) !== undefined)
    return GUESSED_AT;
  const uuid = randomUUID();
  const identity = { uuid, accountNumber, environment, keyVersion: 1 };
  const { wrappedWith, keyBox, cardBox } = sealCard(ctx.config.wrappingKeys, identity, given);
  await tx.run(sql`
    update card_checks
    set card_uuid = ${uuid}, given_last_four = ${card.lastFour},
      exp_month = ${given.expiryMonth}, exp_year = ${given.expiryYear},
      holder = ${given.holder}, wrapped_with = ${wrappedWith}, key_box = ${keyBox},
      card_box = ${cardBox}, fingerprint = ${fingerprint}
    where transaction_id = ${transactionId}`);
  return undefined;
}

/** Of the checks that were approved. */
async function makeCards(tx: Tx, results: readonly ResultRow[]): Promise<CardRow[]> {
  const approved = results.filter(({ result }) => result === "success");
  if (approved.length === 0) return [];
  const cards = await tx.rows(sqlOf(CARD)`
    insert into trusted_cards (card_uuid, transaction_id, account_number, environment, card_type,
      last_four, exp_month, exp_year, holder, wrapped_with, key_box, card_box, fingerprint,
      created_at, verify_expires_at)
    select card_uuid, transaction_id, account_number, environment, brand, given_last_four,
      exp_month, exp_year, holder, wrapped_with, key_box, card_box, fingerprint,
      now, now + make_interval(hours => ${VERIFY_HOURS})
    from ${unnest("approved", approved, RESULT)}
    join card_checks on transaction_id = id,
    -- One moment for both columns: the clock moves on between two calls.
    app_now() as now
    -- The card that was kept is the one that was approved.
    where status = 'incomplete' and given_last_four = approved.last_four
    returning ${CARD_COLUMNS}`);
  assert.equal(cards.length, approved.length, "an approved check has kept its card");
  return cards;
}

/** Nothing of a card stays here; that of a success is in its own record. */
function finaliseChecks(tx: Tx, results: readonly ResultRow[]): Promise<CheckRow[]> {
  return tx.rows(sqlOf(CHECK)`
    update card_checks
    set status = result, message = words, card_brand = brand, card_last_four = last_four,
      sale_reference = given.sale_reference,
      finalised_at = app_now(), card_uuid = case when result = 'success' then card_uuid end,
      given_last_four = null, exp_month = null, exp_year = null, holder = null,
      wrapped_with = null, key_box = null, card_box = null, fingerprint = null
    from ${unnest("given", results, RESULT)}
    where transaction_id = id and status = 'incomplete'
    returning ${CHECK_COLUMNS}`);
}
