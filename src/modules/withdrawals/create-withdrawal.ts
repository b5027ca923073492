/**
 * Creates withdrawals: one tx settles the payee, writes the row and its event, and holds amount
 * and fee (Interface §2.3, Decision 0045). So a withdrawal exists as a whole and will be ended, or
 * does not exist. The ledger checks the funds under the balance's lock: however many requests come
 * at once, no more is held than there is.
 */

import assert from "node:assert/strict";
import { recordAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { countWithin, TooManyAttempts, windowKey } from "../../infra/http/admit/rate-limiter.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { addSeconds, DAY_SECONDS } from "../../kit/clock.ts";
import { Forbidden } from "../../kit/errors.ts";
import { newTransactionId } from "../../kit/ids.ts";
import { money } from "../../kit/money.ts";
import { demandStillManages } from "../accounts/managed-account.ts";
import { postBatch } from "../ledger/post.ts";
import { InsufficientFunds, type Posting } from "../ledger/posting.ts";
import { withdrawalRequested } from "../ledger/recipes.ts";
import { withdrawalTermsOf } from "../platforms/limits.ts";
import type { WithdrawalsContext } from "./context.ts";
import { tellOfWithdrawal } from "./move-withdrawal.ts";
import { settlePayee } from "./payee.ts";
import { sealNumbers } from "./payee-numbers.ts";
import { WITHDRAWAL, WITHDRAWAL_COLUMNS, type WithdrawalRow } from "./withdrawal.ts";
import type { WithdrawalValues } from "./withdrawal-fields.ts";

/** So long it can always be cancelled. */
const LEFT_ALONE_SECONDS = 5;

export async function createWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  request: WithdrawalValues,
): Promise<WithdrawalRow> {
  const [row] = await createWithdrawals(ctx, tx, caller, { requests: [request] });
  assert(row !== undefined);
  return row;
}

interface ManyWithdrawals {
  /** Of one environment. */
  readonly requests: readonly WithdrawalValues[];
  /** What is thrown when the funds do not suffice for the request at this place. */
  readonly shortAt?: (place: number, short: InsufficientFunds) => Error;
}

/** All of them or none. Their money is one statement at the end, which locks the balances. */
export async function createWithdrawals(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  { requests, shortAt = (_, short) => short }: ManyWithdrawals,
): Promise<readonly WithdrawalRow[]> {
  if (requests.every(({ withdrawal_type }) => withdrawal_type === "normal"))
    await ctx.holdCredential(tx, caller, "read");
  else {
    if (!caller.isMainMerchant) throw new Forbidden("only a main merchant pays others");
    await demandStillManages(ctx, tx, caller);
  }
  await countTowardsDay(ctx, tx, caller, requests);
  const rows: WithdrawalRow[] = [];
  for (const request of requests) rows.push(await writeWithdrawal(ctx, tx, caller, request));
  const outcomes = await postBatch(tx, rows.map(requestedPosting));
  for (const [place, outcome] of outcomes.entries()) {
    if (outcome instanceof InsufficientFunds) throw shortAt(place, outcome);
    if (outcome instanceof Error) throw outcome;
  }
  await ctx.failpoint("create: money held");
  return rows;
}

async function writeWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  request: WithdrawalValues,
): Promise<WithdrawalRow> {
  const row = await insertWithdrawal(ctx, tx, caller, request);
  await ctx.failpoint("create: written");
  await recordAudit(tx, caller, "withdrawal_created", {
    detail: { transaction_id: row.transaction_id },
  });
  await tellOfWithdrawal(tx, row, "withdrawal.pending");
  await ctx.failpoint("create: told");
  return row;
}

function requestedPosting(row: WithdrawalRow): Posting {
  return {
    postingId: `withdrawal_requested ${row.transaction_id}`,
    environment: row.environment,
    occasion: "withdrawal_requested",
    reference: row.transaction_id,
    transfers: withdrawalRequested({
      accountNumber: row.account_number,
      amount: money(row.currency, row.amount_minor),
      fee: money(row.currency, row.fee_minor),
    }),
  };
}

async function insertWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  request: WithdrawalValues,
): Promise<WithdrawalRow> {
  const { columns: to, numbers } = await settlePayee(ctx, tx, caller, request);
  const at = await now(tx);
  const { accountNumber, countryCode } = caller;
  const { currency } = request;
  const environment = environmentOf(caller, request.environment);
  const transactionId = newTransactionId({ environment, countryCode, at });
  const sealed = sealNumbers(ctx.config.wrappingKeys, transactionId, numbers);
  const statement = sqlOf(WITHDRAWAL)`
    insert into withdrawals (transaction_id, account_number, environment, country_code,
      withdrawal_type, currency, amount_minor, fee_minor, data, bank_name,
      bank_account_last_four, bank_account_type, bank_branch, name_in_bank, foreign_bank,
      recipient_name, email, phone, id_type, id_number_last_four, numbers_sealed,
      wrapping_key_id, dispatch_at, created_at, updated_at)
    values (${transactionId}, ${accountNumber}, ${environment}, ${countryCode},
      ${request.withdrawal_type}, ${currency}, ${request.amount},
      ${withdrawalTermsOf(currency).fee.minor}, ${request.data}, ${to.bank_name},
      ${to.bank_account_last_four}, ${to.bank_account_type}, ${to.bank_branch},
      ${to.name_in_bank}, ${to.foreign_bank && JSON.stringify(to.foreign_bank)},
      ${to.recipient_name}, ${to.email}, ${to.phone}, ${to.id_type}, ${to.id_number_last_four},
      ${sealed.numbers_sealed}, ${sealed.wrapping_key_id},
      ${addSeconds(at, LEFT_ALONE_SECONDS)}, ${at}, ${at})
    returning ${WITHDRAWAL_COLUMNS}`;
  return tx.one(prepared("insert-withdrawal", statement));
}

class TooManyWithdrawals extends TooManyAttempts {}

/** A stolen account can be emptied only so fast. A withdrawal that is refused does not count. */
async function countTowardsDay(
  { config }: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  requests: readonly WithdrawalValues[],
): Promise<void> {
  const environment = environmentOf(caller, requests[0]?.environment);
  const { granted, retryAfterSeconds } = await countWithin(
    tx,
    {
      key: windowKey("withdrawals", `${environment} ${caller.accountNumber}`),
      max: config.withdrawals.perDayMax,
      weight: requests.length,
    },
    DAY_SECONDS,
  );
  if (!granted) throw new TooManyWithdrawals(retryAfterSeconds);
}

/** Outside the tx, which is rolled back. */
export async function auditedWhenTooMany<T>(
  { db }: WithdrawalsContext,
  caller: Caller,
  creating: Promise<T>,
): Promise<T> {
  try {
    return await creating;
  } catch (error) {
    if (error instanceof TooManyWithdrawals)
      await recordAudit(db, caller, "withdrawal_limit_reached");
    throw error;
  }
}
