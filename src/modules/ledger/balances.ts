/** The balances of a merchant: read to be shown, or locked to decide. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addMoney, type Currency, type Money, money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ledgerAccountName } from "./chart-of-accounts.ts";

export interface Balance {
  /** Available and held together. */
  readonly balance: Money;
  readonly available: Money;
  readonly held: Money;
}

/** One for each currency in which the account ever had money. */
export async function balancesOf(
  db: Queryable,
  accountNumber: string,
  environment: Environment,
): Promise<Map<Currency, Balance>> {
  const rows = await db.rows(sqlOf({
    ...pick(tables.ledger_accounts, "currency"),
    available: bigint,
    held: bigint,
  })`
    select currency,
      coalesce(sum(balance_minor) filter (where kind = 'available'), 0)::bigint as available,
      coalesce(sum(balance_minor) filter (where kind = 'held'), 0)::bigint as held
    from ledger_accounts join ledger_balances using (ledger_account_id)
    where account_number = ${accountNumber} and environment = ${environment}
    group by currency order by currency`);
  return new Map(
    rows.map(({ currency, ...minor }) => {
      const available = money(currency, minor.available);
      const held = money(currency, minor.held);
      return [currency, { balance: addMoney(available, held), available, held }];
    }),
  );
}

/**
 * What may be spent, locked until the tx ends: for a dispute, which holds as much of its amount as
 * there is. A posting of the same merchant may follow without breaking the order of locks: of the
 * names in its book only "acquirer_fees" sorts before, and no recipe uses both.
 */
export async function lockAvailable(
  tx: Tx,
  of: { accountNumber: string; environment: Environment; currency: Currency },
): Promise<Money> {
  const name = ledgerAccountName({ kind: "available", accountNumber: of.accountNumber }, of);
  const row = await tx.maybeOne(sqlOf(pick(tables.ledger_balances, "balance_minor"))`
    select balance_minor from ledger_accounts
    join ledger_balances as balance using (ledger_account_id)
    where name = ${name}
    for no key update of balance`);
  return money(of.currency, row?.balance_minor ?? 0n);
}

export const MONEY_LEFT = "The account still has money.";

/**
 * Why the account cannot be closed, if it cannot: it has money, available or held. The locks wait
 * for postings in progress. Money still to come belongs to an open payment, which keeps the account
 * open by itself; the first posting of a currency waits for the account's row by the foreign key.
 */
export async function moneyLeft(tx: Tx, accountNumber: string): Promise<string | undefined> {
  const balances = await tx.rows(sqlOf(pick(tables.ledger_balances, "balance_minor"))`
    select balance_minor from ledger_accounts
    join ledger_balances as balance using (ledger_account_id)
    where account_number = ${accountNumber}
    order by name
    for no key update of balance`);
  const isEmpty = balances.every(({ balance_minor }) => balance_minor === 0n);
  return isEmpty ? undefined : MONEY_LEFT;
}
