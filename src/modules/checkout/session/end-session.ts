/**
 * Ends a session with its result: session, payment and money in one tx (Decision 0040). And where
 * the browser goes then, which is worked out only after that tx was committed.
 *
 * The rule that matters: a session is open exactly as long as its payment has no result, and
 * whoever ends it holds its row. So there is one result, and everybody tells the same one.
 */

import assert from "node:assert/strict";
import { sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import {
  finaliseTransaction,
  type PaymentResult,
} from "../../transactions/finalise-transaction.ts";
import { TRANSACTION_COLUMNS, type TransactionRow } from "../../transactions/transaction.ts";
import { resultAddress } from "../result/result-address.ts";
import type { CheckoutContext } from "./context.ts";
import type { LockedSession, SessionView } from "./session.ts";

/** The last thing in its tx: a success moves money, whose locks last until the end. */
export async function endSession(
  ctx: Pick<CheckoutContext, "passing">,
  tx: Tx,
  { transaction_id }: Pick<LockedSession, "transaction_id">,
  result: PaymentResult,
): Promise<void> {
  const count = await tx.run(sql`
    update checkout_sessions set state = 'ended', ended_at = app_now()
    where transaction_id = ${transaction_id} and state = 'open'`);
  assert.equal(count, 1, "a session ends once, by whoever holds it");
  await ctx.passing("answer: session ended");
  const { isFirst } = await finaliseTransaction(tx, transaction_id, result);
  assert(isFirst, "an open session's payment has no result yet");
  await ctx.passing("answer: payment ended");
}

/** The merchant's address with the result; undefined while there is none, and a day later. */
export async function wayBack(
  { db, config, passing }: CheckoutContext,
  {
    transactionId,
    responseUrl,
    isForgotten,
  }: Pick<SessionView, "transactionId" | "responseUrl" | "isForgotten">,
): Promise<string | undefined> {
  if (isForgotten) return undefined;
  const row = await db.one<TransactionRow>(sql`
    select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transactionId}`);
  if (row.finalised_at === null) return undefined;
  const address = await resultAddress(db, config, row, responseUrl);
  await passing("result: shown");
  return address;
}
