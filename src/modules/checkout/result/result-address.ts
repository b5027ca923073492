/** Where the browser goes when a payment has its result: the merchant's page, told what it was. */

import type { Config } from "../../../infra/config.ts";
import type { Queryable } from "../../../infra/db/query.ts";
import type { TransactionRow } from "../../transactions/transaction.ts";
import { mergeIntoUrl } from "./merge-into-url.ts";
import { paymentKeysOf } from "./payment-keys.ts";
import { resultParameters } from "./result-parameters.ts";

/** Asked after the commit of the result, never before (Interface §3.2). */
export async function resultAddress(
  db: Queryable,
  config: Pick<Config, "wrappingKeys">,
  row: TransactionRow,
  responseUrl: string,
): Promise<string> {
  const { account_number: accountNumber, environment } = row;
  const keys = await paymentKeysOf(db, config, { accountNumber, environment });
  return mergeIntoUrl(responseUrl, resultParameters(row, keys));
}
