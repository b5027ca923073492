/** An account as an operator reaches it: any, by its number or e-mail, also one that is frozen. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { FieldRefused, ServiceError } from "../../../kit/errors.ts";
import { field } from "../../../kit/fields/field.ts";
import { asText, normalEmail, text } from "../../../kit/fields/text.ts";
import { asked } from "../command.ts";

const ACCOUNT_NUMBER = /^[1-9][0-9]{9}$/;

export const accountNumberField = asked(
  text({
    max: 255, // so that an e-mail address is told what is wanted instead
    pattern: ACCOUNT_NUMBER,
    patternRefusal: "The account number must have ten digits and not begin with 0.",
  }),
  "account_number",
  "Ten digits.",
);

/** For commands that take either: ten digits, or an e-mail in its normal form. */
export const accountField = asked(
  field({ type: "string" }, (value, name) => {
    const given = asText(value, name);
    const known = ACCOUNT_NUMBER.test(given) ? given : normalEmail(given);
    if (known === undefined)
      throw new FieldRefused("The account must be an account number or an email address.");
    return known;
  }),
  "account_number|email",
  "Its ten digits, or what its owner signs in with.",
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

const OPERATED = pick(
  tables.accounts,
  "account_number",
  "account_type",
  "status",
  "is_main_merchant",
  "verified_at",
);

export type OperatedAccount = Row<typeof OPERATED>;

export async function demandAccount(db: Queryable, accountNumber: string): Promise<void> {
  const found = await db.maybeOne(sqlOf({})`
    select from accounts where account_number = ${accountNumber}`);
  if (found === undefined) throw new UnknownAccount(accountNumber);
}

/**
 * By its number or e-mail. Held until the tx ends. What opens a payment or signs somebody in reads
 * this row under a lock of its own, so it has finished or finds what the tx wrote.
 */
export async function lockAccount(tx: Tx, wanted: string): Promise<OperatedAccount> {
  const row = await tx.maybeOne(sqlOf(OPERATED)`
    select ${columns(OPERATED)} from accounts where ${wanted} in (account_number, email)
    for update`);
  if (row === undefined) throw new UnknownAccount(wanted);
  if (row.status === "closed")
    throw new AccountRefuses(`Account ${row.account_number} is closed for good.`);
  return row;
}
