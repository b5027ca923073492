/**
 * Transactions of the caller's own. Unknown, somebody else's and of an environment that the
 * credential does not reach are one 404, found out by one statement.
 *
 * Requests that come while a read is under way share the next one. Each is answered from a read
 * that began after it did, so it sees every write that was answered before.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, sql } from "../../infra/db/query.ts";
import { createBatcher, GATHER_MS_MAX } from "../../kit/batch.ts";
import { NotFound } from "../../kit/errors.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

const READS_AT_ONCE_MAX = 500;

interface Wanted {
  readonly transactionId: string;
  readonly accountNumber: string;
  /** Undefined: either, since the id itself tells which. */
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

/** Nothing else is worth a look; a NUL in it would even be an error of PostgreSQL's. */
function demandShape({ transactionId }: Wanted): void {
  if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("not the shape of an id");
}

async function findTogether(
  db: Queryable,
  wanted: readonly Wanted[],
): Promise<(TransactionRow | NotFound)[]> {
  // Not prepared: a plan from when the table was small would read all of it for a long while.
  const rows = await db.rows<TransactionRow & { readonly place: number }>(sql`
    select place::int, ${TRANSACTION_COLUMNS}
    from unnest(
      ${wanted.map(({ transactionId }) => transactionId)}::text[],
      ${wanted.map(({ accountNumber }) => accountNumber)}::text[],
      ${wanted.map(({ environment }) => environment)}::text[]
    ) with ordinality as wanted (wanted_id, owner, reach, place)
    join transactions on transaction_id = wanted_id and account_number = owner
      and environment = coalesce(reach, environment)`);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return wanted.map(
    (_, at) => byPlace.get(at + 1) ?? new NotFound("no such transaction, or not within reach"),
  );
}
