/**
 * Writes the result of a payment, once, and moves its money in the same tx (Interface §3.2,
 * Decision 0026).
 *
 * The gateway's answer, its notification and the poller may all bring the result at the same
 * moment. The first one moves the transaction from incomplete and posts; the others find what was
 * written and must see for themselves whether it says the same.
 */

import assert from "node:assert/strict";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound } from "../../kit/errors.ts";
import { money } from "../../kit/money.ts";
import { recordEvents } from "../events/record-event.ts";
import { post, postBatch } from "../ledger/post.ts";
import type { Posting } from "../ledger/posting.ts";
import { paymentApproved } from "../ledger/recipes.ts";
import { eventOf, tellOfPayment } from "./payment-event.ts";
import { TRANSACTION, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

interface Card {
  readonly brand: string;
  readonly lastFour: string;
}

export type PaymentResult =
  | { readonly status: "success"; readonly message: string; readonly card: Card }
  | {
      readonly status: "failed" | "error";
      readonly message: string;
      /** Null when it never came to a card. */
      readonly card: Card | null;
    };

export interface Finalised {
  readonly transaction: TransactionRow;
  /** Whether it was this call that wrote the result. */
  readonly isFirst: boolean;
}

export async function finaliseTransaction(
  tx: Tx,
  transactionId: string,
  result: PaymentResult,
): Promise<Finalised> {
  const statement = sqlOf(TRANSACTION)`
    update transactions
    set status = ${result.status}, message = ${result.message},
      card_brand = ${result.card?.brand ?? null},
      card_last_four = ${result.card?.lastFour ?? null}, finalised_at = app_now()
    -- As an expression, which no index has: a young plan would read all that are under way.
    where transaction_id = ${transactionId} and status || '' = 'incomplete'
    returning ${TRANSACTION_COLUMNS}`;
  const moved = await tx.maybeOne(prepared("finalise-transaction", statement));
  if (moved === undefined)
    return { transaction: await findFinal(tx, transactionId), isFirst: false };
  await tellOfPayment(tx, moved, `payment.${result.status}`);
  // The last thing in its tx, because the locks on balances last until its end.
  if (moved.status === "success") await post(tx, postingOf(moved));
  return { transaction: moved, isFirst: true };
}

interface Paid extends Omit<Extract<PaymentResult, { status: "success" }>, "status"> {
  readonly transactionId: string;
}

/**
 * Many that were paid. Whoever calls holds their open sessions, so that none has a result yet. The
 * plan goes by keys (Decision 0061).
 */
export async function payTransactions(tx: Tx, results: readonly Paid[]): Promise<void> {
  if (results.length === 0) return;
  const each = <T>(of: (one: Paid) => T) => results.map(of);
  const statement = sqlOf(TRANSACTION)`
    with given as materialized (
      select * from unnest((select ${each((one) => one.transactionId)}::text[]),
        (select ${each((one) => one.message)}::text[]),
        (select ${each(({ card }) => card.brand)}::text[]),
        (select ${each(({ card }) => card.lastFour)}::text[]))
        as given (id, told, brand, last_four)
    )
    update transactions
    set status = 'success', message = told, card_brand = brand, card_last_four = last_four,
      finalised_at = (select app_now())
    from given
    where transaction_id = any(array(select id from given)) and transaction_id = id
      and status || '' = 'incomplete'
    returning ${TRANSACTION_COLUMNS}`;
  const paid = await tx.rows(prepared("pay-transactions", statement));
  assert.equal(paid.length, results.length, "an open session's payment has no result yet");
  await recordEvents(
    tx,
    paid.map((row) => eventOf(row, "payment.success")),
  );
  // The last thing in its tx, because the locks on balances last until its end.
  for (const outcome of await postBatch(tx, paid.map(postingOf)))
    if (outcome instanceof Error) throw outcome;
}

/** Many that were not paid, with one message; no money moves. Gives how many had no result yet. */
export async function failTransactions(
  tx: Tx,
  transactionIds: readonly string[],
  message: string,
): Promise<number> {
  const failed = await tx.rows(sqlOf(TRANSACTION)`
    with failed as (
      update transactions
      set status = 'failed', message = ${message}, finalised_at = (select app_now())
      where transaction_id = any(${transactionIds}) and status = 'incomplete'
      returning ${TRANSACTION_COLUMNS}
    )
    select * from failed order by created_at, transaction_id`);
  await recordEvents(
    tx,
    failed.map((row) => eventOf(row, "payment.failed")),
  );
  return failed.length;
}

function postingOf(paid: TransactionRow): Posting {
  const { transaction_id, account_number, environment, currency } = paid;
  return {
    postingId: `payment_approved ${transaction_id}`,
    environment,
    occasion: "payment_approved",
    reference: transaction_id,
    transfers: paymentApproved({
      accountNumber: account_number,
      customerTotal: money(currency, paid.customer_total_minor),
      fee: money(currency, paid.fee_minor),
      tax: money(currency, paid.tax_minor),
      net: money(currency, paid.net_minor),
    }),
  };
}

async function findFinal(tx: Tx, transactionId: string): Promise<TransactionRow> {
  const row = await tx.maybeOne(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transactionId}`);
  if (row === undefined) throw new NotFound("no such transaction");
  return row;
}
