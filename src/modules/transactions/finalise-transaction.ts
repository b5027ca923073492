/**
 * Writes the results of payments, each once, with their events; their money moves in the same tx
 * (Interface §3.2, Decision 0026).
 */

import assert from "node:assert/strict";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { recordEvents } from "../events/record-event.ts";
import type { Checks } from "../gateway/port.ts";
import type { Posting } from "../ledger/posting.ts";
import { paymentApproved } from "../ledger/recipes.ts";
import { eventOf } from "./payment-event.ts";
import { payReceiptsDue } from "./receipts-due.ts";
import { TRANSACTION, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

interface Card {
  readonly brand: string;
  readonly lastFour: string;
}

export type PaymentResult =
  | {
      readonly status: "success";
      readonly message: string;
      readonly card: Card;
      /** What was charged, by the reference that the gateway knows. */
      readonly sale?: Checks & { readonly reference: string };
    }
  | {
      readonly status: "failed" | "error";
      readonly message: string;
      /** Null when it never came to a card. */
      readonly card: Card | null;
    };

export type FinalResult = PaymentResult & { readonly transactionId: string };

/** As the columns of a statement. */
export const RESULT = {
  id: "text",
  result: "text",
  words: "text",
  brand: "text",
  lastFour: "text",
  saleReference: "uuid",
  avs: "text",
  cvv: "text",
};

export type ResultRow = ReturnType<typeof resultRow>;

export function resultRow(result: FinalResult) {
  const { transactionId, status, message, card } = result;
  const { reference, avs, cvv } = saleOf(result) ?? {};
  const row = { id: transactionId, result: status, words: message, ...card };
  return { ...row, saleReference: reference, avs, cvv };
}

function saleOf(result: FinalResult) {
  return result.status === "success" ? result.sale : undefined;
}

/**
 * Gives those that had no result yet. Paid ones of `receiptsIn` owe their customers a receipt. For
 * each that was paid, the caller posts what `postingOf` gives, as the last thing in its tx, because
 * the locks on balances last until its end. The plan goes by keys (Decision 0061).
 */
export async function finaliseTransactions(
  tx: Tx,
  results: readonly FinalResult[],
  receiptsIn: readonly Environment[],
): Promise<TransactionRow[]> {
  const statement = sqlOf(TRANSACTION)`
    with given as materialized (
      select * from ${unnest("given", results.map(resultRow), RESULT, { anyLength: true })}
    ), moved as (
      update transactions
      set status = result, message = words, card_brand = brand, card_last_four = last_four,
        sale_reference = given.sale_reference, avs_answer = avs, cvv_answer = cvv,
        finalised_at = (select app_now())
      from given
      where transaction_id = any(array(select id from given)) and transaction_id = id
        -- As an expression, which no index has: a young plan would read all that are under way.
        and status || '' = 'incomplete'
      returning ${TRANSACTION_COLUMNS}
    ), owed as (${payReceiptsDue(receiptsIn)})
    select ${TRANSACTION_COLUMNS} from moved`;
  const moved = await tx.rows(prepared("finalise-transactions", statement));
  const statuses = new Map(results.map(({ transactionId, status }) => [transactionId, status]));
  await recordEvents(
    tx,
    moved.map((row) => {
      const status = statuses.get(row.transaction_id);
      assert(status !== undefined);
      return eventOf(row, `payment.${status}`);
    }),
  );
  return moved;
}

export function postingOf(paid: TransactionRow): Posting {
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
