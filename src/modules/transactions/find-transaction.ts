/**
 * One transaction of the caller's own. Unknown, somebody else's and of an environment that the
 * credential does not reach are one 404, found out by one statement.
 */

import { type Queryable, sql } from "../../infra/db/query.ts";
import { NotFound } from "../../kit/errors.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

export async function findTransaction(
  db: Queryable,
  wanted: {
    transactionId: string;
    accountNumber: string;
    /** Undefined: either, since the id itself tells which. */
    environment: Environment | undefined;
  },
): Promise<TransactionRow> {
  const { transactionId, accountNumber, environment = null } = wanted;
  // Nothing else is worth a look; a NUL in it would even be an error of PostgreSQL's.
  if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne<TransactionRow>(sql`
    select ${TRANSACTION_COLUMNS} from transactions
    where transaction_id = ${transactionId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment)`);
  if (row === undefined) throw new NotFound("no such transaction, or not within reach");
  return row;
}
