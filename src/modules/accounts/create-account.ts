/**
 * Creates an account, for a main merchant or for an operator. Its number is random, so that one
 * reveals nothing about the next. An e-mail belongs to one account, open or closed; the constraint
 * is the rule (Decision 0022).
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { newAccountNumber } from "../../kit/ids.ts";
import type { AccountType, CountryCode } from "../../kit/vocabulary.ts";
import type { AccountsContext } from "./context.ts";
import { demandStillManages } from "./managed-account.ts";
import type { PasswordDigest } from "./passwords.ts";

export class EmailTaken extends fixedRefusal("email_taken") {}

export function refuseTakenEmail<T>(work: Promise<T>): Promise<T> {
  const taken = (cause: unknown) => new EmailTaken(cause);
  // Also by somebody who is only a member of an account (Decision 0084).
  return onConstraint(
    { email_belongs_to_one_account: taken, email_belongs_to_one_person: taken },
    work,
  );
}

export interface NewAccount {
  /** Only for the demo world, whose numbers are fixed. */
  readonly accountNumber?: string;
  readonly accountType: AccountType;
  readonly countryCode: CountryCode;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone?: string | undefined;
  readonly isMainMerchant?: boolean;
  readonly isVerified?: boolean;
  readonly madeBy?: string;
  readonly password: PasswordDigest;
}

export async function createAccount(tx: Tx, account: NewAccount): Promise<string> {
  for (;;) {
    const accountNumber = account.accountNumber ?? newAccountNumber();
    const inserted = await refuseTakenEmail(
      tx.run(sql`
        insert into accounts (account_number, account_type, country_code, email, first_name,
          last_name, phone, is_main_merchant, verified_at, made_by, password_digest, pepper_id)
        values (${accountNumber}, ${account.accountType}, ${account.countryCode}, ${account.email},
          ${account.firstName}, ${account.lastName}, ${account.phone},
          ${account.isMainMerchant ?? false},
          case when ${account.isVerified ?? false} then app_now() end,
          ${account.madeBy}, ${account.password.digest}, ${account.password.pepperId})
        on conflict (account_number) do nothing`),
    );
    if (inserted === 1) return accountNumber;
    if (account.accountNumber !== undefined)
      throw new Error(`account number ${accountNumber} is taken`);
  }
}

/**
 * On the main merchant's own platform. Whether it is verified, or a main merchant itself, only the
 * operator decides.
 */
export async function makeAccount(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  account: Omit<NewAccount, "countryCode" | "madeBy" | "isMainMerchant" | "isVerified">,
): Promise<string> {
  await demandStillManages(ctx, tx, caller);
  const { countryCode, accountNumber: madeBy } = caller;
  const accountNumber = await createAccount(tx, { ...account, countryCode, madeBy });
  const detail = { account_type: account.accountType };
  await recordAudit(tx, caller, "account_created", { to: accountNumber, detail });
  return accountNumber;
}
