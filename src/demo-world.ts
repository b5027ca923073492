/**
 * The development world: five accounts with known passwords, the bank details of most, and money in
 * both environments (Decision 0023), made once on an empty database. Whatever is changed afterwards
 * stays changed; production never makes them.
 */

import { readFile } from "node:fs/promises";
import type { Infra } from "./infra/context.ts";
import type { Tx } from "./infra/db/transaction.ts";
import { readFields } from "./kit/fields/field.ts";
import { type Money, money } from "./kit/money.ts";
import type { Role } from "./kit/roles.ts";
import { ENVIRONMENTS } from "./kit/vocabulary.ts";
import { hasAccounts } from "./modules/accounts/account.ts";
import { createAccount, type NewAccount } from "./modules/accounts/create-account.ts";
import type { PasswordDigest, Passwords } from "./modules/accounts/passwords.ts";
import { businessBody } from "./modules/business/business-fields.ts";
import { writeBusiness } from "./modules/business/change-business.ts";
import { storeLogo } from "./modules/business/logo.ts";
import { post } from "./modules/ledger/post.ts";
import { fundsOpened } from "./modules/ledger/recipes.ts";
import { addMember, addPerson } from "./modules/people/add-member.ts";
import { addOperator } from "./modules/people/operators/operator.ts";
import { giveTotpSecret } from "./modules/people/totp.ts";
import { foreignBank } from "./modules/user/foreign-bank.ts";
import { localBank } from "./modules/user/local-bank.ts";
import { insertBank } from "./modules/user/write-bank.ts";

export const DEMO_PASSWORD = "Sandbox-2026";

type DemoAccount = Omit<NewAccount, "password"> & {
  readonly accountNumber: string;
  /** In live and in sandbox. */
  readonly funds: readonly Money[];
  /** As its owner would send it. */
  readonly localBank?: Readonly<Record<string, string>>;
  readonly foreignBank?: Readonly<Record<string, string>>;
  /** With a logo. */
  readonly business?: Readonly<Record<string, string>>;
};

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    accountNumber: "1234567890",
    business: {
      business_name: "Sea Grape Books",
      website: "https://seagrape.example.com",
      support_email: "help@seagrape.example.com",
      accent_colour: "#7a2e5d",
    },
    funds: [money("TTD", 10_000_00n), money("USD", 1_000_00n)],
    accountType: "BUSINESS",
    countryCode: "TT",
    email: "merchant@example.com",
    firstName: "Marisol",
    lastName: "Baptiste",
    isMainMerchant: true,
    isVerified: true,
    localBank: {
      bank_name: "First Citizens",
      bank_account: "0012345678",
      name_in_bank: "Marisol Baptiste",
    },
    foreignBank: {
      beneficiary_name: "Marisol Baptiste",
      beneficiary_address: "12 Frederick Street, Port of Spain",
      beneficiary_account_number: "000123456789",
      beneficiary_bank: "First Example Bank",
      bank_address: "1 Main Street, New York",
      beneficiary_bank_swift_or_routing_code: "021000021",
    },
  },
  {
    accountNumber: "2345678901",
    funds: [money("JMD", 500_000_00n)],
    accountType: "BUSINESS",
    countryCode: "JM",
    email: "merchant.jm@example.com",
    firstName: "Delroy",
    lastName: "Campbell",
    isVerified: true,
    localBank: {
      bank_name: "National Commercial Bank",
      bank_account: "201234567",
      name_in_bank: "Delroy Campbell",
      bank_account_type: "savings",
      bank_branch: "Half Way Tree",
    },
  },
  {
    accountNumber: "5678901234",
    funds: [money("JMD", 500_000_00n)],
    accountType: "BUSINESS",
    countryCode: "JM",
    email: "main.jm@example.com",
    firstName: "Sonia",
    lastName: "Grant",
    isMainMerchant: true,
    isVerified: true,
    localBank: {
      bank_name: "JN Bank",
      bank_account: "301234567",
      name_in_bank: "Sonia Grant",
      bank_account_type: "chequing",
      bank_branch: "New Kingston",
    },
  },
  {
    accountNumber: "3456789012",
    funds: [money("BBD", 1_000_00n)],
    accountType: "BUSINESS",
    countryCode: "BB",
    email: "merchant.bb@example.com",
    firstName: "Corey",
    lastName: "Alleyne",
    isVerified: true,
  },
  {
    accountNumber: "4567890123",
    funds: [money("TTD", 500_00n)],
    accountType: "PERSONAL",
    countryCode: "TT",
    email: "person@example.com",
    firstName: "Anika",
    lastName: "Mohammed",
    isVerified: true,
    localBank: {
      bank_name: "Republic Bank LTD",
      bank_account: "350012345678",
      name_in_bank: "Anika Mohammed",
    },
  },
];

/** Who acts for the first account beside its holder, each with the role of the name. */
export const DEMO_MEMBERS: readonly DemoMember[] = [
  { name: "Josiah Ali", role: "admin" },
  { name: "Farah Mohammed", role: "finance", alsoViewerOf: "3456789012" },
  { name: "Dev Ramlogan", role: "developer" },
  {
    name: "Simone Charles",
    role: "support",
    refundLimits: [money("TTD", 50_00n), money("USD", 10_00n)],
  },
  { name: "Vernon Lewis", role: "viewer" },
];
export const MEMBERS_OF = "1234567890";

interface DemoMember {
  readonly name: string;
  readonly role: Role;
  readonly refundLimits?: readonly Money[];
  /** One person may act for several accounts. */
  readonly alsoViewerOf?: string;
}

export function demoEmailOf({ role }: DemoMember): string {
  return `${role}@example.com`;
}

export async function seedDemoWorld(ctx: Infra & { passwords: Passwords }): Promise<void> {
  if (await hasAccounts(ctx.db)) return;
  // One for all, which have the same: on a busy machine several would wait too long for each other
  // and the first start would fail.
  const password = await ctx.passwords.digest(DEMO_PASSWORD);
  await ctx.db.transaction(async (tx) => {
    for (const entry of DEMO_ACCOUNTS) {
      const { localBank: local, foreignBank: foreign, business, funds, ...account } = entry;
      await createAccount(tx, { ...account, password });
      if (local) await insertBank(ctx, tx, account, localBank, readFields(localBank.fields, local));
      if (foreign)
        await insertBank(ctx, tx, account, foreignBank, readFields(foreignBank.fields, foreign));
      if (business) await addBusiness(tx, account, business);
      for (const amount of funds) await openFunds(tx, account, amount);
    }
    await addDemoMembers(tx, password);
    await addDemoOperators(ctx, tx, password);
  });
}

/** `demo-logo.svg` as `toLogo` draws it, which would take half a second of the first start. */
const LOGO = new URL("demo-logo.png", import.meta.url);

async function addBusiness(
  tx: Tx,
  { accountNumber }: { accountNumber: string },
  business: Readonly<Record<string, string>>,
): Promise<void> {
  await writeBusiness(tx, accountNumber, readFields(businessBody, business));
  await storeLogo(tx, accountNumber, await readFile(LOGO));
}

async function openFunds(tx: Tx, { accountNumber }: { accountNumber: string }, amount: Money) {
  for (const environment of ENVIRONMENTS)
    await post(tx, {
      postingId: `funds_opened ${accountNumber} ${amount.currency}`,
      environment,
      occasion: "funds_opened",
      reference: accountNumber,
      transfers: fundsOpened({ accountNumber, amount }),
    });
}

async function addDemoMembers(tx: Tx, password: PasswordDigest): Promise<void> {
  for (const member of DEMO_MEMBERS) {
    const { name, role, refundLimits, alsoViewerOf } = member;
    const personId = await addPerson(tx, { email: demoEmailOf(member), name, password });
    await addMember(tx, { accountNumber: MEMBERS_OF, personId, role, refundLimits });
    if (alsoViewerOf !== undefined)
      await addMember(tx, { accountNumber: alsoViewerOf, personId, role: "viewer" });
  }
}

export const DEMO_OPERATORS = ["operator@example.com", "second.operator@example.com"] as const;
/** For an authenticator app; of the development stage, where everybody may know it. */
export const DEMO_TOTP_SECRET = "JBSWY3DPEHPK3PXP";

async function addDemoOperators(ctx: Infra, tx: Tx, password: PasswordDigest): Promise<void> {
  for (const email of DEMO_OPERATORS) {
    const name = email === DEMO_OPERATORS[0] ? "Olivia Prescod" : "Second Operator";
    const personId = await addOperator(tx, { email, name, role: "admin", password });
    await giveTotpSecret(ctx, tx, { personId, secret: DEMO_TOTP_SECRET });
  }
}
