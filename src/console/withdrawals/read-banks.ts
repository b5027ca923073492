/** The banks that withdrawals of an account go to, as pages show them. */

import type { Queryable } from "../../infra/db/query.ts";
import type { Currency } from "../../kit/money.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { type BankKind, type BankRow, findBankRow } from "../../modules/user/bank.ts";
import { foreignBank } from "../../modules/user/foreign-bank.ts";
import { localBank } from "../../modules/user/local-bank.ts";
import type { Visitor } from "../visitor.ts";
import { ending } from "./words.ts";

export interface BankView {
  readonly kind: BankKind;
  /** Of the withdrawals that go there. */
  readonly currency: Currency;
  readonly row: BankRow | undefined;
}

export async function readBanks(db: Queryable, { account }: Visitor): Promise<BankView[]> {
  const { accountNumber, countryCode } = account;
  const { localCurrency, foreignCurrency } = platformOf(countryCode);
  const kinds = [
    { kind: localBank, currency: localCurrency },
    { kind: foreignBank, currency: foreignCurrency },
  ];
  return Promise.all(
    kinds.map(async (each) => ({ ...each, row: await findBankRow(db, each.kind, accountNumber) })),
  );
}

/** "First Citizens •••• 5678". */
export function bankInWords({ kind, row }: BankView): string | undefined {
  return row === undefined ? undefined : `${row[kind.bankField]} ${ending(row.number_last_four)}`;
}
