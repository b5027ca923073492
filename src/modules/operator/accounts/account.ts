/** An account as an operator reaches it: any, by its number or e-mail, also one that is frozen. */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, nullable, pick, type Row, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord, OperatorError } from "../../../kit/errors.ts";
import type { Act, Done, Report } from "../command.ts";

const ACCOUNT = pick(
  tables.accounts,
  "account_number",
  "account_type",
  "country_code",
  "status",
  "is_main_merchant",
  "verified_at",
);

/** What its customers see of it, where it said so. */
export function businessName(accountNumber: Sql) {
  return computed(
    nullable(text),
    sql`(select business_name from businesses as named
      where named.account_number = ${accountNumber})`,
  );
}

export type LockedAccount = Row<typeof ACCOUNT>;

export const unknownAccount = (account: string) =>
  new NoSuchRecord(`There is no account ${account}.`);

/** The account is not in a state that allows this, or is already what it should become. */
export const accountRefuses = ({ account_number }: LockedAccount, because: string) =>
  new OperatorError(`Account ${account_number} ${because}`);

/** For a list that may be narrowed to one account. */
export async function demandAccount(
  db: Queryable,
  accountNumber: string | null | undefined,
): Promise<void> {
  if (accountNumber === null || accountNumber === undefined) return;
  const found = await db.maybeOne(sqlOf({})`
    select from accounts where account_number = ${accountNumber}`);
  if (found === undefined) throw unknownAccount(accountNumber);
}

/**
 * By its number or e-mail, locked until the tx ends. Opening a payment and signing in read this row
 * under a lock of their own, so they have finished or find what the tx wrote.
 */
async function lockAccount(tx: Tx, wanted: string): Promise<LockedAccount> {
  const row = await tx.maybeOne(sqlOf(ACCOUNT)`
    select ${columns(ACCOUNT)} from accounts where ${wanted} in (account_number, email)
    for update`);
  if (row === undefined) throw unknownAccount(wanted);
  if (row.status === "closed") throw accountRefuses(row, "is closed for good.");
  return row;
}

interface AccountAction extends Pick<Done, "data" | "text"> {
  readonly action: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Does something about a locked account, and audits it. */
export function actOnAccount(
  act: Act,
  wanted: string,
  work: (tx: Tx, account: LockedAccount) => Promise<AccountAction>,
): Promise<Report> {
  return act(async (tx) => {
    const account = await lockAccount(tx, wanted);
    const { account_number } = account;
    const { action, detail = {}, data, text } = await work(tx, account);
    return {
      entry: { action, accountNumber: account_number, detail },
      data: { account_number, ...data },
      text,
    };
  });
}

/** Sets columns of an account unless its state refuses it; both sentences begin with its name. */
export function changeAccount(
  act: Act,
  accountNumber: string,
  change: Omit<AccountAction, "detail"> & {
    readonly set: Sql;
    refuse(account: LockedAccount): string | false;
  },
): Promise<Report> {
  return actOnAccount(act, accountNumber, async (tx, account) => {
    const because = change.refuse(account);
    if (because !== false) throw accountRefuses(account, because);
    await tx.run(sql`update accounts set ${change.set} where account_number = ${accountNumber}`);
    const { action, data, text } = change;
    return { action, data, text: `Account ${accountNumber} ${text}` };
  });
}
