/**
 * The profile: who the caller is, what they have, and what is set up (Interface §2.6, Decision
 * 0020).
 */

import { sqlOf } from "../../infra/db/query.ts";
import { bool, columns } from "../../infra/db/row.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { CURRENCIES, type Currency, formatMoney, isZero, money } from "../../kit/money.ts";
import { EXAMPLE, flagSchema, orNull, textSchema, wordSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { COUNTRY_CODES, type Environment } from "../../kit/vocabulary.ts";
import { PROFILE } from "../accounts/account.ts";
import { type Balance, balancesOf } from "../ledger/balances.ts";
import { type Platform, platformOf } from "../platforms/platform.ts";
import type { UserContext } from "./context.ts";
import { pictureUrl } from "./picture.ts";

const amount = (about: string, example: string) =>
  textSchema(about, example, { pattern: "^-?\\d+\\.\\d{2}$" });

const balance = Type.Object(
  {
    currency: wordSchema(CURRENCIES, "Of the three amounts.", "TTD"),
    balance: amount("All that is there.", "10000.00"),
    available: amount("What can be spent.", "10000.00"),
    held: amount("What is promised to refunds, disputes and withdrawals.", "0.00"),
  },
  { title: "Balance" },
);

export const profileView = Type.Object(
  {
    account_number: textSchema("Ten digits.", EXAMPLE.accountNumber),
    account_type: wordSchema(["PERSONAL", "BUSINESS"], "Of the account.", "BUSINESS"),
    country_code: wordSchema(COUNTRY_CODES, "The platform.", "TT"),
    email: textSchema("What its owner signs in with.", "merchant@example.com"),
    first_name: textSchema("The owner's.", "Marisol"),
    last_name: textSchema("The owner's.", "Baptiste"),
    phone: orNull(textSchema("In E.164 form.", "+18686221234"), null),
    verified: flagSchema("Whether live payments are taken.", true),
    balances: Type.Object(
      {
        local: balance,
        foreign: balance,
        others: Type.Array(balance, {
          description: "Only while there is money in them.",
          examples: [[]],
        }),
      },
      { description: "In the platform's own currency, in US dollars, and in others." },
    ),
    bank_configured: Type.Object(
      {
        local: flagSchema("In the own country.", true),
        foreign: flagSchema("Abroad, for US dollars.", true),
      },
      { description: "Whether there are bank details." },
    ),
    profile_picture: orNull(
      textSchema("Where the picture is.", "https://api.example.com/pictures/9f2c", {
        format: "uri",
      }),
      null,
    ),
  },
  { title: "Profile" },
);

const ACCOUNT = { ...PROFILE, has_local: bool, has_foreign: bool };

export async function readProfile(
  ctx: UserContext,
  caller: Caller,
  environment: Environment | undefined,
) {
  const { accountNumber } = caller;
  const reached = environmentOf(caller, environment);
  const { has_local, has_foreign, ...account } = await ctx.db.one(sqlOf(ACCOUNT)`
    select ${columns(PROFILE)},
      exists (select from local_banks where account_number = ${accountNumber}) as has_local,
      exists (select from foreign_banks where account_number = ${accountNumber}) as has_foreign
    from accounts where account_number = ${accountNumber}`);
  const balances = await balancesOf(ctx.db, accountNumber, reached);
  return {
    ...account,
    balances: balancesView(platformOf(caller.countryCode), balances),
    bank_configured: { local: has_local, foreign: has_foreign },
    profile_picture: await pictureUrl(ctx.db, ctx.config, accountNumber),
  };
}

/** The platform's two currencies always; another one only while there is money in it. */
function balancesView(platform: Platform, balances: ReadonlyMap<Currency, Balance>) {
  const { localCurrency, foreignCurrency } = platform;
  const others = [...balances].flatMap(([currency, { available, held }]) => {
    const isOwn = currency === localCurrency || currency === foreignCurrency;
    return isOwn || (isZero(available) && isZero(held)) ? [] : [currency];
  });
  const view = (currency: Currency) => balanceView(currency, balances.get(currency));
  return { local: view(localCurrency), foreign: view(foreignCurrency), others: others.map(view) };
}

function balanceView(currency: Currency, balance: Balance | undefined) {
  const none = money(currency, 0n);
  return {
    currency,
    balance: formatMoney(balance?.balance ?? none),
    available: formatMoney(balance?.available ?? none),
    held: formatMoney(balance?.held ?? none),
  };
}
