/**
 * A customer: who paid, or was to pay, under an e-mail address (Decision 0122). Nothing else is
 * common to a customer's payments, so it is what they are found by; a payment that names another
 * address, or none, is another customer's.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { derivedKey, keyedDigest } from "../../kit/secrets.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { accountsOf } from "../accounts/each-account.ts";

export interface Customer {
  /** In its normal form. */
  readonly email: string;
  /** Undefined: of every account. */
  readonly accountNumber: string | undefined;
  /** Undefined: of both. */
  readonly environment: Environment | undefined;
}

/** The ids of the customer's payments, in the order of the ids; each is found by an index. */
export async function findPayments(db: Queryable, customer: Customer): Promise<string[]> {
  const found: string[] = [];
  for await (const accounts of accountsOf(db, customer))
    found.push(...(await paymentsWithin(db, customer, accounts)));
  return found.toSorted();
}

async function paymentsWithin(
  db: Queryable,
  { email, environment }: Customer,
  accounts: readonly string[],
): Promise<string[]> {
  const environments = environment === undefined ? ENVIRONMENTS : [environment];
  // One that has no result yet is in no index by e-mail, and is one of few.
  const rows = await db.rows(sqlOf(pick(tables.transactions, "transaction_id"))`
    select found.transaction_id
    from unnest(${accounts}::text[]) as wanted (account_number)
    cross join unnest(${environments}::text[]) as place (environment)
    cross join lateral (
      select transaction_id from transactions as payment
      where payment.account_number = wanted.account_number
        and payment.environment = place.environment and result_email = ${email}
      union all
      select transaction_id from transactions as payment
      where payment.account_number = wanted.account_number
        and payment.environment = place.environment and status = 'incomplete'
        and lower(customer ->> 'email') = ${email}
    ) as found`);
  return rows.map(({ transaction_id }) => transaction_id);
}

/**
 * Stands for an address where it must not be read, such as the audit trail: the same for the same
 * address while the key is, and nothing to a reader without the key.
 */
export function digestOf({ wrappingKeys }: Pick<Config, "wrappingKeys">, email: string): string {
  const { current } = wrappingKeys;
  const digest = keyedDigest(derivedKey(current, "customer e-mail"), email);
  return `${current.id}:${digest.toString("hex").slice(0, 32)}`;
}
