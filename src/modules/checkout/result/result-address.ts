/** Where the browser goes when a payment has its result: the merchant's page, told what it was. */

import type { Config } from "../../../infra/config.ts";
import { prepared, type Queryable, sql } from "../../../infra/db/query.ts";
import { TRANSACTION_COLUMNS, type TransactionRow } from "../../transactions/transaction.ts";
import { mergeIntoUrl } from "./merge-into-url.ts";
import { type KeyRow, openKeys, paymentKeysOf } from "./payment-keys.ts";
import { resultParameters } from "./result-parameters.ts";

/** A payment, and its merchant's keys; null: nobody has needed any yet. */
export type SignablePayment = TransactionRow & {
  readonly [Column in keyof KeyRow]: KeyRow[Column] | null;
};

/** In the order given; any number of them in one statement. */
export async function findSignable(
  db: Queryable,
  transactionIds: readonly string[],
): Promise<SignablePayment[]> {
  const statement = sql`
    select payment.*, keys.* from unnest((select ${transactionIds}::text[])) as wanted (id)
    join lateral (
      select ${TRANSACTION_COLUMNS} from transactions where transaction_id = id limit 1
    ) as payment on true
    left join lateral (
      select sealed_with, hash_key_box, signing_secret_box from payment_keys as one
      where one.account_number = payment.account_number
        and one.environment = payment.environment limit 1
    ) as keys on true`;
  const rows = await db.rows<SignablePayment>(prepared("find-signable", statement));
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  return transactionIds.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`there is no payment ${id}`);
    return row;
  });
}

/** Asked after the commit of the result, never before (Interface §3.2). */
export async function resultAddress(
  db: Queryable,
  config: Pick<Config, "wrappingKeys">,
  row: SignablePayment,
  responseUrl: string,
): Promise<string> {
  const { account_number: accountNumber, environment } = row;
  const owner = { accountNumber, environment };
  const { sealed_with, hash_key_box, signing_secret_box } = row;
  const isKnown = sealed_with !== null && hash_key_box !== null && signing_secret_box !== null;
  const keys = isKnown
    ? openKeys(config, owner, { sealed_with, hash_key_box, signing_secret_box })
    : await paymentKeysOf(db, config, owner);
  return mergeIntoUrl(responseUrl, resultParameters(row, keys));
}
