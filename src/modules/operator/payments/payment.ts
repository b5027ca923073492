/** A payment as an operator reaches it: anybody's, by its id. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { ServiceError } from "../../../kit/errors.ts";
import { text } from "../../../kit/fields/text.ts";
import { TRANSACTION_ID } from "../../../kit/ids.ts";
import {
  TRANSACTION,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from "../../transactions/transaction.ts";
import { asked } from "../command.ts";

export const transactionIdField = asked(
  text({
    max: 255,
    pattern: TRANSACTION_ID,
    patternRefusal: "The transaction id must look like TT-01ARZ3NDEKTSV4RRFFQ69G5FAV.",
  }),
  "transaction_id",
  "As the merchant sees it; a sandbox one begins with SB-.",
);

class UnknownPayment extends ServiceError {
  constructor(transactionId: string) {
    super({
      status: 404,
      code: "unknown_payment",
      message: `There is no payment ${transactionId}.`,
    });
  }
}

export async function findPayment(db: Queryable, transactionId: string): Promise<TransactionRow> {
  const row = await db.maybeOne(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transactionId}`);
  if (row === undefined) throw new UnknownPayment(transactionId);
  return row;
}
