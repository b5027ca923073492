/**
 * Tells what happened to a payment, in the tx in which it happens (Decision 0032): the record as it
 * is then. Before the money moves, since the locks on balances last until the end of the tx.
 */

import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { EventName } from "../events/catalogue.ts";
import type { NewEvent } from "../events/event.ts";
import { recordEvents } from "../events/record-event.ts";
import {
  TRANSACTION,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  viewTransaction,
} from "./transaction.ts";

type PaymentEvent = Extract<EventName, `payment.${string}`>;

export function eventOf(row: TransactionRow, event: PaymentEvent): NewEvent {
  return {
    accountNumber: row.account_number,
    environment: row.environment,
    event,
    resource: row.transaction_id,
    record: recordOf(row),
  };
}

/**
 * As `GET /transactions/{transaction_id}` shows it, and what the merchant is credited under the
 * names that receivers of such events read (Decision 0067).
 */
function recordOf(row: TransactionRow) {
  const record = viewTransaction(row);
  return { ...record, total_credited: record.net, currency_credited: record.currency };
}

/** Of a payment whose sums triggers have moved since it was read. */
export async function tellOfChangedPayment(
  tx: Tx,
  { transaction_id }: Pick<TransactionRow, "transaction_id">,
  ...events: readonly PaymentEvent[]
): Promise<void> {
  const row = await tx.one(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transaction_id}`);
  await recordEvents(
    tx,
    events.map((event) => eventOf(row, event)),
  );
}
