/** An account as an operator reaches it: any, by its number, also one that is frozen. */

import { type Queryable, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ServiceError } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import type { AccountType } from "../../kit/vocabulary.ts";
import { asked } from "./command.ts";

export const accountNumberField = asked(
  text({
    max: 255, // so that an e-mail address is told what is wanted instead
    pattern: /^[1-9][0-9]{9}$/,
    patternRefusal: "The account number must have ten digits and not begin with 0.",
  }),
  "account_number",
  "Ten digits.",
);

export class UnknownAccount extends ServiceError {
  constructor(account: string) {
    super({ status: 404, code: "unknown_account", message: `There is no account ${account}.` });
  }
}

/** The account is not in a state that allows this, or is already what it should become. */
export class AccountRefuses extends ServiceError {
  constructor(message: string) {
    super({ status: 409, code: "account_refuses", message });
  }
}

export interface OperatedAccount {
  account_number: string;
  account_type: AccountType;
  status: "active" | "frozen";
  is_main_merchant: boolean;
  verified_at: Date | null;
}

export async function demandAccount(db: Queryable, accountNumber: string): Promise<void> {
  const found = await db.maybeOne(sql`
    select from accounts where account_number = ${accountNumber}`);
  if (found === undefined) throw new UnknownAccount(accountNumber);
}

/**
 * Held until the tx ends. What opens a payment or signs somebody in reads this row under a lock of
 * its own, so it has finished or finds what the tx wrote.
 */
export async function lockAccount(tx: Tx, accountNumber: string): Promise<OperatedAccount> {
  const row = await tx.maybeOne<Omit<OperatedAccount, "status"> & { status: string }>(sql`
    select account_number, account_type, status, is_main_merchant, verified_at
    from accounts where account_number = ${accountNumber}
    for update`);
  if (row === undefined) throw new UnknownAccount(accountNumber);
  if (row.status === "closed")
    throw new AccountRefuses(`Account ${accountNumber} is closed for good.`);
  return row as OperatedAccount;
}
