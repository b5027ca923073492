/** What an account has in the environment of the page. */

import type { Queryable } from "../../infra/db/query.ts";
import { CURRENCIES, isZero, money } from "../../kit/money.ts";
import { type Balance, balancesOf } from "../../modules/ledger/balances.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import type { Visitor } from "../visitor.ts";

/** Of the platform's currencies always, of others while there is money in them. */
export async function readBalances(
  db: Queryable,
  { account, environment }: Visitor,
): Promise<Balance[]> {
  const { currencies } = platformOf(account.countryCode);
  const known = await balancesOf(db, account.accountNumber, environment);
  const others = CURRENCIES.filter((one) => !currencies.some((each) => each === one)).filter(
    (one) => !isZero(known.get(one)?.balance ?? money(one, 0n)),
  );
  return [...currencies, ...others].map((currency) => {
    const none = money(currency, 0n);
    return known.get(currency) ?? { balance: none, available: none, held: none };
  });
}
