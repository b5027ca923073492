/** What an operator has to know about an account before acting on it. */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, int, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { formatMoney } from "../../../kit/money.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { balancesOf } from "../../ledger/balances.ts";
import { bareAmountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { accountField } from "../fields.ts";
import { factsBlock, reportBlocks, tableBlock } from "../render.ts";
import { businessName, unknownAccount } from "./account.ts";
import { readOwnTermsTables } from "./own-terms-table.ts";

const ACCOUNT = {
  ...pick(tables.accounts, "account_number", "account_type", "country_code", "email"),
  ...pick(tables.accounts, "first_name", "last_name", "phone", "status"),
  business_name: businessName(sql`account.account_number`),
  main_merchant: computed(bool, sql`is_main_merchant`),
  ...pick(tables.accounts, "verified_at", "made_by", "created_at", "closed_at"),
};

const COUNTED = {
  ...ACCOUNT,
  accounts_made: int,
  sign_ins: int,
  active_keys: int,
  open_payments: int,
};

export const showAccount = defineRead({
  name: "show-account",
  about: "find an account by number or e-mail, and show its state, credentials and balances",
  more: "An e-mail is compared as at the sign-in: in whatever case it is typed.",
  fields: { account: accountField },
  subject: "account",
  example: {
    given: "shop@example.com",
    shows: `Account           1234567890
Type              BUSINESS
Platform          TT
Name              Anika Mohammed
Business          -
E-mail            shop@example.com
Phone             -
State             active
Verified          2026-11-15 06:32:04Z
Main merchant     yes
Made by           -
Opened            2026-11-15 06:32:03Z
Closed            -
Accounts it made  0
Sign-ins          1
Active keys       0
Open payments     0

Balances
  environment  currency  balance  available  held
  live         TTD       100.00   75.00      25.00

Limits of its own
  currency  minimum  maximum   from                  state
  TTD       5.00     50000.00  2026-11-15 06:32:04Z  now

Fees of its own
  percentage  fixed in USD  from                  state
  2.75        0.20          2026-11-15 06:32:04Z  now`,
  },
  async run({ db }, { account: wanted }) {
    const account = await findAccount(db, wanted);
    const balances = await readBalances(db, account.account_number);
    const facts = factsBlock(account, {
      Account: "account_number",
      Type: "account_type",
      Platform: "country_code",
      Name: ({ first_name, last_name }) => `${first_name} ${last_name}`,
      Business: "business_name",
      "E-mail": "email",
      Phone: "phone",
      State: "status",
      Verified: "verified_at",
      "Main merchant": "main_merchant",
      "Made by": "made_by",
      Opened: "created_at",
      Closed: "closed_at",
      "Accounts it made": "accounts_made",
      "Sign-ins": "sign_ins",
      "Active keys": "active_keys",
      "Open payments": "open_payments",
    });
    const table = tableBlock("Balances", balances, {
      environment: "environment",
      currency: "currency",
      balance: ({ currency, balance }) => bareAmountIn(currency, balance),
      available: ({ currency, available }) => bareAmountIn(currency, available),
      held: ({ currency, held }) => bareAmountIn(currency, held),
    });
    const { account_number: accountNumber, country_code: countryCode } = account;
    const terms = await readOwnTermsTables(db, { accountNumber, countryCode });
    return reportBlocks({ ...account, balances, ...terms.data }, [facts, table, ...terms.blocks]);
  },
});

/** Sign-ins and keys are those that have not ended, whether or not a freeze stops them now. */
async function findAccount(db: Queryable, wanted: string): Promise<Row<typeof COUNTED>> {
  const row = await db.maybeOne(sqlOf(COUNTED)`
    select ${columns(ACCOUNT)},
      (select count(*)::int from accounts as made where made.made_by = account.account_number)
        as accounts_made,
      (select count(*)::int from grants
        where grants.account_number = account.account_number and revoked_at is null
          and grants.credential_epoch = account.credential_epoch and expires_at > real_now())
        as sign_ins,
      (select count(*)::int from api_keys
        where api_keys.account_number = account.account_number and revoked_at is null
          and (expires_at is null or expires_at > real_now()))
        as active_keys,
      (select count(*)::int from transactions
        where transactions.account_number = account.account_number
          and environment in ('live', 'sandbox') and transactions.status = 'incomplete')
        as open_payments
    from accounts as account where ${wanted} in (account_number, email)`);
  if (row === undefined) throw unknownAccount(wanted);
  return row;
}

async function readBalances(db: Queryable, accountNumber: string) {
  const ofEach = ENVIRONMENTS.map(async (environment) => {
    const balances = await balancesOf(db, accountNumber, environment);
    return [...balances].map(([currency, { balance, available, held }]) => ({
      environment,
      currency,
      balance: formatMoney(balance),
      available: formatMoney(available),
      held: formatMoney(held),
    }));
  });
  return (await Promise.all(ofEach)).flat();
}
