/**
 * Takes the words of the customer, and about the customer, out of payments that have ended
 * (Decision 0122): who it was, what was bought, what the merchant passed through, why a refund was
 * asked for. Amounts, times, ids and the card's last four digits stay, as the books need them. The
 * database lets this change through whole, and no other.
 */

import { raw } from "sql-template-tag";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ServiceError } from "../../kit/errors.ts";
import { DETAIL_NAMES } from "./payment-details.ts";

const DETAILS = DETAIL_NAMES.map((name) => `${name} = ''`).join(", ");

/** Whether a payment still has something to erase. */
export const HAS_WORDS: Sql = sql`(
  customer <> '{}' or not (${raw(DETAILS.replaceAll(", ", " and "))})
  or description is not null or items is not null or link_reference is not null)`;

/** What is under way needs the customer: it is finished first. */
export class PaymentIsOpen extends ServiceError {
  constructor(transactionId: string, because: string) {
    super("customer_data_in_use", {
      message: `${transactionId} is not finished: ${because} Nothing was erased.`,
    });
  }
}

const OPEN = pick(tables.transactions, "transaction_id", "status", "status_desc");

/** Refuses by the first that is not finished; under locks, where the ids are locked. */
export async function demandEnded(db: Queryable, ids: readonly string[]): Promise<void> {
  const open = await db.maybeOne(sqlOf(OPEN)`
    select transaction_id, status, status_desc from transactions
    where transaction_id = any (${ids}) and (status = 'incomplete' or refund_pending_minor > 0
      or status_desc = 'Chargeback Pending'
      or exists (select from checkout_attempts
        where checkout_attempts.transaction_id = transactions.transaction_id
          and next_ask_at is not null))
    order by transaction_id limit 1`);
  if (open !== undefined) throw new PaymentIsOpen(open.transaction_id, whyOpen(open));
}

function whyOpen({ status, status_desc: condition }: { status: string; status_desc: string }) {
  if (status === "incomplete") return "the customer may still pay, or a card is being decided.";
  if (condition === "Chargeback Pending") return "a chargeback is open.";
  if (condition === "Refund Requested") return "a refund is under way.";
  return "an approval that came late is being undone.";
}

/** In one order, behind what moves them. */
export async function lockPayments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    select from transactions where transaction_id = any (${ids})
    order by transaction_id for no key update`);
}

/** The caller has locked them. Returns how many had something to erase. */
export async function eraseRecords(tx: Tx, ids: readonly string[]): Promise<number> {
  await tx.run(sql`
    update refunds set reason = null
    where transaction_id = any (${ids}) and ended_at is not null and reason is not null`);
  return tx.run(sql`
    update transactions set customer = '{}', ${raw(DETAILS)}, description = null, items = null,
      link_reference = null
    where transaction_id = any (${ids}) and ${HAS_WORDS}`);
}
