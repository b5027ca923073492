/** Where the browser goes when a payment has its result: the merchant's page, told what it was. */

import type { Config } from "../../../infra/config.ts";
import type { Queryable } from "../../../infra/db/query.ts";
import type { PaymentToSign } from "./find-payments-to-sign.ts";
import { mergeIntoUrl } from "./merge-into-url.ts";
import { openKeys, paymentKeysOf } from "./payment-keys.ts";
import { resultParameters } from "./result-parameters.ts";

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
