/**
 * Payments, their events and their sessions, any number of them in one statement: of each all three
 * or none (Decision 0036).
 */

import type { Config } from "../../../infra/config.ts";
import type { Database } from "../../../infra/db/database.ts";
import { type Prepared, prepared, type Queryable, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { newTransactionRow, recordedAs } from "../../transactions/record-transaction.ts";
import { insertSessions, newSession, type OpenedCheckout } from "./new-session.ts";
import type { PaymentRequest } from "./payment-request.ts";

export interface Asked {
  readonly request: PaymentRequest;
  /** The moment of its price, its id and the beginning of its time. */
  readonly at: Date;
}

/** What opens them, and what each of them is if it could go. */
interface Opening {
  readonly statement: Prepared;
  readonly checkouts: readonly OpenedCheckout[];
}

interface MadeRow {
  readonly transaction_id: string;
}

type OpeningConfig = Pick<Config, "tokenPeppers" | "http">;

/** In the order given; undefined: its order is known, or its account takes no payments. */
export async function openCheckouts(
  config: OpeningConfig,
  tx: Tx,
  asked: readonly Asked[],
): Promise<(OpenedCheckout | undefined)[]> {
  const { statement, checkouts } = openingOf(config, asked);
  return whichWent(checkouts, await tx.rows<MadeRow>(statement));
}

/** The same as a tx of its own. After a lost answer all of it is there or nothing is. */
export async function openCheckoutsInOneStatement(
  { config, db }: { config: OpeningConfig; db: Database },
  asked: readonly Asked[],
): Promise<(OpenedCheckout | undefined)[]> {
  const { statement, checkouts } = openingOf(config, asked);
  const made = await db.transactionOf<MadeRow>(statement, {
    async confirm() {
      const found = await findMade(db, checkouts);
      return found.length === 0 ? undefined : found;
    },
  });
  return whichWent(checkouts, made);
}

function openingOf(config: OpeningConfig, asked: readonly Asked[]): Opening {
  const rows = asked.map(({ request, at }) => newTransactionRow(request.transaction, at));
  const checkouts = rows.flatMap((row, index) => {
    const one = asked[index];
    return one === undefined ? [] : [newSession(config, row, one.request)];
  });
  const statement = sql`
    with ${recordedAs(rows)}, opened as (${insertSessions(checkouts)})
    select transaction_id from made`;
  return { statement: prepared("open-checkouts", statement), checkouts };
}

function findMade(db: Queryable, checkouts: readonly OpenedCheckout[]): Promise<MadeRow[]> {
  return db.rows<MadeRow>(sql`
    select transaction_id from checkout_sessions
    where transaction_id = any(${checkouts.map((one) => one.transactionId)}::text[])`);
}

function whichWent(
  checkouts: readonly OpenedCheckout[],
  made: readonly MadeRow[],
): (OpenedCheckout | undefined)[] {
  const ids = new Set(made.map(({ transaction_id }) => transaction_id));
  return checkouts.map(({ transactionId, url }) =>
    ids.has(transactionId) ? { transactionId, url } : undefined,
  );
}
