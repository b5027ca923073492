/**
 * Limits and fees of single accounts, each from a moment on (Decision 0129). Rows are only added,
 * so what held at a moment can be told for ever; a request that was under way then may have been
 * priced by what held before. Of an account without any nothing is looked up: `has_own_terms` says
 * so in the row that is read anyway.
 */

import { raw } from "sql-template-tag";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import {
  columns,
  computed,
  json,
  nullable,
  omit,
  type Row,
  timestamp,
  word,
} from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Currency } from "../../kit/money.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import type { OwnFees, OwnLimits, OwnTerms } from "../platforms/own-terms.ts";

/** As the database gives them: numbers, which are whole and small enough to be exact. */
interface GivenTerms {
  readonly limits: Readonly<Partial<Record<Currency, readonly [number, number]>>> | null;
  readonly fees: readonly [number, number] | null;
}

/** `of`: how the statement names the account. Those that are valid at this moment. */
export function ownTermsColumn(of = "accounts") {
  return computed(nullable(json<GivenTerms>()), ownTermsOf(of));
}

function ownTermsOf(of: string): Sql {
  const account = raw(of);
  return sql`case when ${account}.has_own_terms then json_build_object(
    'limits', (
      select json_object_agg(currency, json_build_array(minimum_minor, maximum_minor))
      from (
        select distinct on (currency) currency, minimum_minor, maximum_minor
        from account_limits
        where account_limits.account_number = ${account}.account_number
          and valid_from <= app_now()
        order by currency, valid_from desc, set_number desc
      ) as latest where minimum_minor is not null
    ),
    'fees', (
      select case when fixed_cents is not null
        then json_build_array(percentage_basis_points, fixed_cents) end
      from account_fees
      where account_fees.account_number = ${account}.account_number and valid_from <= app_now()
      order by valid_from desc, set_number desc limit 1
    )
  ) end`;
}

export function ownTerms(given: GivenTerms | null): OwnTerms {
  if (given === null) return {};
  const limits = Object.entries(given.limits ?? {}).map(([currency, [minimum, maximum]]) => [
    currency,
    { minimum: BigInt(minimum), maximum: BigInt(maximum) },
  ]);
  const [percentage, fixedCents] = given.fees ?? [];
  return {
    limits: Object.fromEntries(limits),
    ...(percentage !== undefined &&
      fixedCents !== undefined && {
        fees: { percentage: BigInt(percentage), fixedCents: BigInt(fixedCents) },
      }),
  };
}

const TERMS = { own_terms: ownTermsColumn(), at: computed(timestamp, sql`(select app_now())`) };

export interface TermsNow {
  readonly at: Date;
  readonly own: OwnTerms;
}

type Payee = { readonly accountNumber: string; readonly countryCode: CountryCode };

/**
 * Of an account on that platform, which are those of its payments there. Elsewhere the sandbox
 * account is paid by that platform's terms (Decision 0036).
 */
export async function readTermsNow(
  db: Queryable,
  { accountNumber, countryCode }: Payee,
): Promise<TermsNow> {
  const { at, own_terms } = await db.one(sqlOf(TERMS)`
    select ${columns(TERMS)} from (select) as nothing
    left join accounts on account_number = ${accountNumber} and country_code = ${countryCode}`);
  return { at, own: ownTerms(own_terms) };
}

export async function readOwnTerms(db: Queryable, payee: Payee): Promise<OwnTerms> {
  return (await readTermsNow(db, payee)).own;
}

/** Whether it has any on that platform, of whatever moment. */
export async function hasOwnTerms(
  db: Queryable,
  { accountNumber, countryCode }: { accountNumber: string; countryCode: string },
): Promise<boolean> {
  const row = await db.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${accountNumber} and country_code = ${countryCode} and has_own_terms`);
  return row !== undefined;
}

const LIMITS = { ...omit(tables.account_limits, "account_number"), currency: word<Currency>() };
const FEES = omit(tables.account_fees, "account_number");

/** Newest first: those that are still to come, the present ones, and earlier ones. */
export async function listOwnTerms(db: Queryable, accountNumber: string, max: number) {
  const newestFirst = sql`order by valid_from desc, set_number desc limit ${max}`;
  const limits = await db.rows(sqlOf(LIMITS)`
    select ${columns(LIMITS)} from account_limits
    where account_number = ${accountNumber} ${newestFirst}`);
  const fees = await db.rows(sqlOf(FEES)`
    select ${columns(FEES)} from account_fees
    where account_number = ${accountNumber} ${newestFirst}`);
  return { limits, fees };
}

export type OwnLimitsRow = Row<typeof LIMITS>;
export type OwnFeesRow = Row<typeof FEES>;

/** As terms: what a row says, or nothing of its own. */
export function limitsOfRow(row: OwnLimitsRow | undefined): OwnTerms {
  const { currency, minimum_minor: minimum = null, maximum_minor: maximum = null } = row ?? {};
  if (currency === undefined || minimum === null || maximum === null) return {};
  return { limits: { [currency]: { minimum, maximum } } };
}

export function feesOfRow(row: OwnFeesRow | undefined): OwnTerms {
  const { percentage_basis_points: percentage = null, fixed_cents: cents = null } = row ?? {};
  if (percentage === null || cents === null) return {};
  return { fees: { percentage: BigInt(percentage), fixedCents: BigInt(cents) } };
}

/** Undefined: the platform's again. The account's row is locked by the caller. */
export async function insertOwnLimits(
  tx: Tx,
  accountNumber: string,
  from: Date,
  { currency, limits }: { readonly currency: Currency; readonly limits: OwnLimits | undefined },
): Promise<void> {
  await tx.run(sql`
    insert into account_limits (account_number, currency, valid_from, minimum_minor, maximum_minor)
    values (${accountNumber}, ${currency}, ${from}, ${limits?.minimum ?? null},
      ${limits?.maximum ?? null})`);
  await noteOwnTerms(tx, accountNumber);
}

export async function insertOwnFees(
  tx: Tx,
  accountNumber: string,
  from: Date,
  fees: OwnFees | undefined,
): Promise<void> {
  await tx.run(sql`
    insert into account_fees (account_number, valid_from, percentage_basis_points, fixed_cents)
    values (${accountNumber}, ${from}, ${fees?.percentage ?? null}, ${fees?.fixedCents ?? null})`);
  await noteOwnTerms(tx, accountNumber);
}

async function noteOwnTerms(tx: Tx, accountNumber: string): Promise<void> {
  await tx.run(sql`
    update accounts set has_own_terms = true
    where account_number = ${accountNumber} and not has_own_terms`);
}
