/**
 * The development world: five accounts with known passwords, made once on an empty database.
 * Whatever is changed afterwards stays changed; production never makes them.
 */

import type { Infra } from "./infra/context.ts";
import { hasAccounts } from "./modules/accounts/account.ts";
import { createAccount, type NewAccount } from "./modules/accounts/create-account.ts";
import type { Passwords } from "./modules/accounts/passwords.ts";

export const DEMO_PASSWORD = "Sandbox-2026";

type DemoAccount = Omit<NewAccount, "password"> & { readonly accountNumber: string };

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    accountNumber: "1234567890",
    accountType: "BUSINESS",
    countryCode: "TT",
    email: "merchant@example.com",
    firstName: "Marisol",
    lastName: "Baptiste",
    isMainMerchant: true,
    isVerified: true,
  },
  {
    accountNumber: "2345678901",
    accountType: "BUSINESS",
    countryCode: "JM",
    email: "merchant.jm@example.com",
    firstName: "Delroy",
    lastName: "Campbell",
    isVerified: true,
  },
  {
    accountNumber: "5678901234",
    accountType: "BUSINESS",
    countryCode: "JM",
    email: "main.jm@example.com",
    firstName: "Sonia",
    lastName: "Grant",
    isMainMerchant: true,
    isVerified: true,
  },
  {
    accountNumber: "3456789012",
    accountType: "BUSINESS",
    countryCode: "BB",
    email: "merchant.bb@example.com",
    firstName: "Corey",
    lastName: "Alleyne",
    isVerified: true,
  },
  {
    accountNumber: "4567890123",
    accountType: "PERSONAL",
    countryCode: "TT",
    email: "person@example.com",
    firstName: "Anika",
    lastName: "Mohammed",
    isVerified: true,
  },
];

export async function seedDemoWorld(ctx: Infra & { passwords: Passwords }): Promise<void> {
  if (await hasAccounts(ctx.db)) return;
  const digests = await Promise.all(DEMO_ACCOUNTS.map(() => ctx.passwords.digest(DEMO_PASSWORD)));
  await ctx.db.transaction(async (tx) => {
    for (const [index, account] of DEMO_ACCOUNTS.entries()) {
      const password = digests[index];
      if (password !== undefined) await createAccount(tx, { ...account, password });
    }
  });
}
