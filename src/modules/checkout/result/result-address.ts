/**
 * Where the browser goes when a payment has its result: the merchant's page, with the result and
 * its signature. Payments and the keys they are signed with are found in one statement, written so
 * that its plan is kept and goes by keys (Decisions 0061 and 0078).
 */

import type { Config } from "../../../infra/config.ts";
import { prepared, type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { outer, type Row } from "../../../infra/db/row.ts";
import {
  TRANSACTION,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from "../../transactions/transaction.ts";
import { mergeIntoUrl } from "./merge-into-url.ts";
import {
  openKeys,
  PAYMENT_KEYS,
  PAYMENT_KEYS_COLUMNS,
  type PaymentKeysRow,
  paymentKeysOf,
} from "./payment-keys.ts";
import { resultParameters } from "./result-parameters.ts";

export interface PaymentToSign {
  readonly payment: TransactionRow;
  /** Undefined: they have not been needed yet. */
  readonly keys: PaymentKeysRow | undefined;
}

const FOUND = { ...TRANSACTION, ...outer(PAYMENT_KEYS) };

function hasKeys(row: Row<typeof FOUND>): row is TransactionRow & PaymentKeysRow {
  return row.sealed_with !== null;
}

/** In the order given. */
export async function findPaymentsToSign(
  db: Queryable,
  transactionIds: readonly string[],
): Promise<(PaymentToSign | Error)[]> {
  const statement = sqlOf(FOUND)`
    select payment.*, keys.* from unnest((select ${transactionIds}::text[])) as wanted (id)
    join lateral (
      select ${TRANSACTION_COLUMNS} from transactions where transaction_id = id limit 1
    ) as payment on true
    left join lateral (
      select ${PAYMENT_KEYS_COLUMNS} from payment_keys as one
      where one.account_number = payment.account_number
        and one.environment = payment.environment limit 1
    ) as keys on true`;
  const rows = await db.rows(prepared("find-payments-to-sign", statement));
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  return transactionIds.map((id) => {
    const payment = byId.get(id);
    if (payment === undefined) return new Error(`there is no payment ${id}`);
    return { payment, keys: hasKeys(payment) ? payment : undefined };
  });
}

/** Asked after the commit of the result, never before (Interface §3.2). */
export async function resultAddress(
  db: Queryable,
  config: Pick<Config, "wrappingKeys">,
  { payment, keys }: PaymentToSign,
  responseUrl: string,
): Promise<string> {
  const { account_number: accountNumber, environment } = payment;
  const owner = { accountNumber, environment };
  const opened =
    keys === undefined ? await paymentKeysOf(db, config, owner) : openKeys(config, owner, keys);
  return mergeIntoUrl(responseUrl, resultParameters(payment, opened));
}
