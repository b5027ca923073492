/**
 * Payments, their events and their sessions, any number of them in one statement: of each all three
 * or none (Decision 0036).
 */

import type { Config } from "../../../infra/config.ts";
import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { newTransactionRow, recordedAs } from "../../transactions/record-transaction.ts";
import { insertSessions, newSession, type OpenedCheckout } from "./new-session.ts";
import type { PaymentRequest } from "./payment-request.ts";

export interface Asked {
  readonly request: PaymentRequest;
  /** The moment of its price, its id and the beginning of its time. */
  readonly at: Date;
}

/** In the order given; undefined: its order is known, or its account takes no payments. */
export async function openCheckouts(
  config: Pick<Config, "tokenPeppers" | "http">,
  tx: Tx,
  asked: readonly Asked[],
): Promise<(OpenedCheckout | undefined)[]> {
  const rows = asked.map(({ request, at }) => newTransactionRow(request.transaction, at));
  const sessions = rows.flatMap((row, index) => {
    const one = asked[index];
    return one === undefined ? [] : [newSession(config, row, one.request)];
  });
  const statement = sql`
    with ${recordedAs(rows)}, opened as (${insertSessions(sessions)})
    select transaction_id from made`;
  const made = await tx.rows<{ transaction_id: string }>(prepared("open-checkouts", statement));
  const ids = new Set(made.map(({ transaction_id }) => transaction_id));
  return sessions.map(({ transactionId, url }) =>
    ids.has(transactionId) ? { transactionId, url } : undefined,
  );
}
