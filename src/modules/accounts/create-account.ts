/**
 * Opens an account. Its number is random, so that one tells nothing about the next; a collision,
 * which nobody will see, draws again.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { newAccountNumber } from "../../kit/ids.ts";
import type { AccountType, CountryCode } from "../../kit/vocabulary.ts";
import { refuseTakenEmail } from "./email-taken.ts";
import type { PasswordDigest } from "./passwords.ts";

export interface NewAccount {
  /** Given only by the demo world, whose numbers are known beforehand. */
  readonly accountNumber?: string;
  readonly accountType: AccountType;
  readonly countryCode: CountryCode;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone?: string;
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
