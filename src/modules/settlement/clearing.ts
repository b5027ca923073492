/**
 * What the acquirer owes us of live payments: sales less refunds and chargebacks less what it has
 * settled. The ledger's clearing account has completed withdrawals in it, too, which our bank pays
 * and no acquirer settles, so they are taken out of its balance here (Decision 0082).
 */

import type { Queryable } from "../../infra/db/query.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { bigint, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { CURRENCIES, formatMoney, type Money, money } from "../../kit/money.ts";

/** As operators see it. */
export function viewOwed(owed: readonly Money[]) {
  return owed.map((one) => ({ currency: one.currency, amount: formatMoney(one) }));
}

/** By currency: above zero where it owes us, below where it paid more than we know of. */
export async function acquirerClearing(db: Queryable): Promise<Money[]> {
  const rows = await db.rows(sqlOf({
    ...pick(tables.ledger_accounts, "currency"),
    owed: bigint,
  })`
    select currency, (coalesce(paid_out, 0) - balance)::bigint as owed
    from (
      select currency, sum(balance_minor) as balance
      from ledger_accounts join ledger_balances using (ledger_account_id)
      -- By their names, which have an index: those of merchants are many.
      where name = any (array(
        select 'live ' || money || ' gateway_clearing ' || stripe
        from unnest(${CURRENCIES}::text[]) as money, generate_series(0, 9) as stripe))
      group by currency
    ) as clearing
    left join (
      select currency, sum(amount_minor) as paid_out from withdrawals
      where environment = 'live' and status = 'completed' group by currency
    ) as withdrawn using (currency)
    order by currency`);
  return rows.map(({ currency, owed }) => money(currency, owed));
}
