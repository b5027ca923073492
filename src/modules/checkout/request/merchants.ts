/**
 * Who is to be paid, and whether this account may take this payment (Interface §3.2, Decision
 * 0036).
 *
 * One statement for all requests that wait: it reads their merchants and counts the requests
 * against the limit of each. What was read is held against the rules here; that the account is
 * still active is asked again where the payment is written.
 */

import type { Database } from "../../../infra/db/database.ts";
import { prepared, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, int, list, pick, type Row, timestamp } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import {
  type Count,
  shareOut,
  TAKEN,
  TooManyAttempts,
  WINDOW,
} from "../../../infra/http/admit/rate-limiter.ts";
import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { fixedRefusal } from "../../../kit/errors.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { ownTerms, ownTermsColumn } from "../../accounts/own-terms.ts";
import type { OwnTerms } from "../../platforms/own-terms.ts";
import { AccountTakesNoPayments, type NewTransaction } from "../../transactions/new-transaction.ts";
import { isForTrying } from "../result/payment-keys.ts";

const BATCH_MAX = 500;

interface Merchant {
  readonly accountNumber: string;
  readonly email: string;
  /** Of payment requests in the environment that was asked for. */
  readonly requiresSignature: boolean;
  /** When this was read. */
  readonly at: Date;
  /** At that moment, for a payment on that platform (Decision 0129). */
  readonly own: OwnTerms;
}

const OWN_TERMS = { own_terms: ownTermsColumn() };

const MERCHANT = {
  ...pick(tables.accounts, "account_number", "account_type", "country_code", "email"),
  is_active: bool,
  is_verified: bool,
  /** Environments whose payment requests must be signed (Decision 0066). */
  signed_environments: list<Environment>(),
  now: timestamp,
  ...OWN_TERMS,
  hits: int,
  ...WINDOW,
};

type MerchantRow = Row<typeof MERCHANT>;

interface Found {
  readonly row: MerchantRow;
  readonly count: Count;
}

type Payee = Pick<NewTransaction, "accountNumber" | "environment" | "countryCode">;

export type FindMerchant = (payee: Payee) => Promise<Merchant>;

/** The customer is not the merchant (Interface §2.4). */
export class EmailIsTheMerchants extends fixedRefusal("email_is_the_merchants") {}

/** Throws the refusal where the account cannot take the payment. */
export function createMerchantFinder(db: Database, requestsPerMinuteMax: number): FindMerchant {
  const find = createBatcher<string, Found | undefined>({
    run: (numbers) => findTogether(db, numbers, requestsPerMinuteMax),
    sizeMax: BATCH_MAX,
    parallelMax: 2,
    patienceMs: PATIENCE_MS,
  });
  return async (payee) => {
    const found = await find(payee.accountNumber);
    if (found === undefined) throw new AccountTakesNoPayments();
    if (!found.count.granted) throw new TooManyAttempts(found.count.retryAfterSeconds);
    if (!takes(found.row, payee)) throw new AccountTakesNoPayments();
    const { email, country_code, signed_environments, now, own_terms } = found.row;
    return {
      accountNumber: payee.accountNumber,
      email,
      requiresSignature: signed_environments.includes(payee.environment),
      at: now,
      // The sandbox account is paid on other platforms, too, and there by their terms.
      own: country_code === payee.countryCode ? ownTerms(own_terms) : {},
    };
  };
}

function takes(row: MerchantRow, { accountNumber, environment, countryCode }: Payee) {
  if (!row.is_active || row.account_type !== "BUSINESS") return false;
  if (environment === "live" && !row.is_verified) return false;
  return row.country_code === countryCode || isForTrying({ accountNumber, environment });
}

/**
 * Only accounts that exist are counted: a number that was made up leaves no trace. Written so
 * that its plan is kept, and goes by keys (Decision 0061).
 */
async function findTogether(
  db: Database,
  numbers: readonly string[],
  max: number,
): Promise<(Found | undefined)[]> {
  const hits = new Map<string, number>();
  for (const number of numbers) hits.set(number, (hits.get(number) ?? 0) + 1);
  const statement = sqlOf(MERCHANT)`
    with found as materialized (
      select account.*, app_now() as now, asked.hits, array(
          select environment from payment_keys
          where payment_keys.account_number = asked.account_number and requires_signature
        ) as signed_environments
      from unnest((select ${[...hits.keys()]}::text[]), (select ${[...hits.values()]}::int[]))
        as asked (account_number, hits)
      join lateral (
        select account_number, account_type, country_code, email, status = 'active' as is_active,
          verified_at is not null as is_verified, ${columns(OWN_TERMS)}
        from accounts where accounts.account_number = asked.account_number limit 1
      ) as account on true
    ), wanted as (
      select 'payment_request_merchant ' || account_number as window_key, ${max}::int as hits_max,
        hits
      from found
    ), ${TAKEN}
    select found.*, taken.* from found
    join taken on taken.window_key = 'payment_request_merchant ' || found.account_number`;
  const rows = await db.rows(prepared("find-merchants", statement));
  const known = new Map(rows.map((row) => [row.account_number, { row, next: shareOut(row) }]));
  return numbers.map((number) => {
    const one = known.get(number);
    return one && { row: one.row, count: one.next() };
  });
}
