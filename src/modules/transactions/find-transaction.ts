/**
 * Reads transactions of the caller. Unknown, another account's and of an environment that the
 * credential does not reach are one 404, found by one statement.
 *
 * Requests that come while a read is under way share the next one. Each is answered from a read
 * that began after it did, so it sees every write that was answered before.
 */

import type { Infra } from "../../infra/context.ts";
import { prepared, type Queryable, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { createBatcher, GATHER_MS_MAX } from "../../kit/batch.ts";
import { NotFound } from "../../kit/errors.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { ReasonToStayOpen } from "../accounts/context.ts";
import { TRANSACTION, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

const READS_AT_ONCE_MAX = 500;

interface Wanted {
  readonly transactionId: string;
  readonly accountNumber: string;
  /** Undefined: either, since the id itself says which. */
  readonly environment: Environment | undefined;
}

export interface TransactionsContext extends Infra {
  readonly readTransaction: (wanted: Wanted) => Promise<TransactionRow>;
}

export function createTransactionReader(db: Queryable): TransactionsContext["readTransaction"] {
  const read = createBatcher<Wanted, TransactionRow>({
    sizeMax: READS_AT_ONCE_MAX,
    gatherMsMax: GATHER_MS_MAX,
    run: (wanted) => findTogether(db, wanted),
  });
  return async (wanted) => {
    demandShape(wanted);
    return read(wanted);
  };
}

export async function findTransaction(db: Queryable, wanted: Wanted): Promise<TransactionRow> {
  demandShape(wanted);
  const [found] = await findTogether(db, [wanted]);
  if (found instanceof Error || found === undefined) throw found;
  return found;
}

/** Saves the query; a NUL would even be an error of PostgreSQL. */
function demandShape({ transactionId }: Wanted): void {
  if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("not the shape of an id");
}

const WANTED = { wantedId: "text", owner: "text", reach: "text" };

async function findTogether(
  db: Queryable,
  wanted: readonly Wanted[],
): Promise<(TransactionRow | NotFound)[]> {
  const rows = wanted.map(({ transactionId, accountNumber, environment }) => ({
    wantedId: transactionId,
    owner: accountNumber,
    reach: environment,
  }));
  const statement = sqlOf({ ...TRANSACTION, nth: int })`
    select nth::int, ${TRANSACTION_COLUMNS}
    from ${unnest("wanted", rows, WANTED, { ordinal: "nth", anyLength: true })}
    -- Found by its id alone, one by one: that is the index of ids, however old the plan is.
    join lateral (select * from transactions where transaction_id = wanted_id limit 1) as found
      on account_number = owner and environment = coalesce(reach, environment)`;
  const found = await db.rows(prepared("find-transactions", statement));
  const byNth = new Map(found.map((row) => [row.nth, row]));
  return wanted.map(
    (_, at) => byNth.get(at + 1) ?? new NotFound("no such transaction, or not within reach"),
  );
}

export const OPEN_PAYMENT = "The account still has an open payment.";

/** An account with a payment under way stays open: its money could not arrive (Decision 0022). */
export const paymentUnderWay: ReasonToStayOpen = async (tx, accountNumber) => {
  const open = await tx.maybeOne(sqlOf({})`
    select from transactions
    where account_number = ${accountNumber} and environment in ('live', 'sandbox')
      and status = 'incomplete'
    limit 1`);
  return open === undefined ? undefined : OPEN_PAYMENT;
};
