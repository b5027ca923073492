/**
 * Accounts: who a merchant or a person is, on which platform, and in what state (Interface §1,
 * §2.6). The state alone decides whether an account may act, and every request reads it anew.
 * Sign-ins and keys are in `auth`.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { PasswordDigest } from "./passwords.ts";

const SIGN_IN = pick(
  tables.accounts,
  "account_number",
  "email",
  "account_type",
  "is_main_merchant",
  "status",
  "credential_epoch",
  "api_sign_in",
  "password_digest",
  "pepper_id",
);

/** What signing in needs to know of an account. */
export type SignInAccount = NonNullable<Awaited<ReturnType<typeof findWhere>>>;

/** Who an account is, as its owner and its main merchant see it. */
export const PROFILE = {
  ...pick(
    tables.accounts,
    "account_number",
    "account_type",
    "country_code",
    "email",
    "first_name",
    "last_name",
    "phone",
  ),
  verified: computed(bool, sql`verified_at is not null`),
};

export function findByEmail(db: Queryable, email: string) {
  return findWhere(db, sql`email = ${email}`);
}

export function findByNumber(db: Queryable, accountNumber: string) {
  return findWhere(db, sql`account_number = ${accountNumber}`);
}

async function findWhere(db: Queryable, condition: Sql) {
  const row = await db.maybeOne(sqlOf(SIGN_IN)`
    select ${columns(SIGN_IN)} from accounts where ${condition}`);
  if (row === undefined) return undefined;
  return {
    email: row.email,
    accountNumber: row.account_number,
    accountType: row.account_type,
    isMainMerchant: row.is_main_merchant,
    isActive: row.status === "active",
    credentialEpoch: row.credential_epoch,
    apiSignIn: row.api_sign_in,
    password: { digest: row.password_digest, pepperId: row.pepper_id },
  };
}

export async function hasAccounts(db: Queryable): Promise<boolean> {
  return (await db.one(sqlOf({ some: bool })`select exists (select from accounts) as some`)).some;
}

/**
 * Holds the account still, at this epoch, until the tx ends: a password change, a closing or
 * another rule for sign-ins that comes first makes this false, one that comes later finds what the
 * tx wrote.
 */
export async function lockActiveAt(tx: Tx, account: SignInAccount): Promise<boolean> {
  const row = await tx.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${account.accountNumber} and status = 'active'
      and credential_epoch = ${account.credentialEpoch} and api_sign_in = ${account.apiSignIn}
    for share`);
  return row !== undefined;
}

type AtEpoch = Pick<SignInAccount, "accountNumber" | "credentialEpoch">;

/** The same password under today's costs and pepper; the epoch stays, so no sign-in ends. */
export async function replaceDigest(
  db: Queryable,
  account: SignInAccount,
  fresh: PasswordDigest,
): Promise<void> {
  await db.run(sql`
    update accounts set password_digest = ${fresh.digest}, pepper_id = ${fresh.pepperId}
    where account_number = ${account.accountNumber}
      and password_digest = ${account.password.digest}`);
}

/**
 * Another password: with the new epoch every sign-in made under an older one is dead. Only who set
 * it by a mailed link has surely chosen it: who made the account knows the old one
 * (Decision 0147).
 */
export async function setPassword(
  tx: Tx,
  account: AtEpoch & { readonly isByMailedLink: boolean },
  fresh: PasswordDigest,
): Promise<void> {
  await tx.run(sql`
    update accounts set password_digest = ${fresh.digest}, pepper_id = ${fresh.pepperId},
      credential_epoch = ${account.credentialEpoch},
      password_chosen_at =
        case when ${account.isByMailedLink} then real_now() else password_chosen_at end
    where account_number = ${account.accountNumber}`);
}

/** A digest has a salt of its own, so it is there only if the caller's own tx wrote it. */
export async function hasPassword(
  db: Queryable,
  { accountNumber }: Pick<SignInAccount, "accountNumber">,
  { digest }: PasswordDigest,
): Promise<true | undefined> {
  const row = await db.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${accountNumber} and password_digest = ${digest}`);
  return row === undefined ? undefined : true;
}
