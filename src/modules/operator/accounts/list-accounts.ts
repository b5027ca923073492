/** Lists accounts, newest first, by what an operator knows of them (Decision 0073). */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { optional, type Values } from "../../../kit/fields/field.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { defineRead } from "../command.ts";
import { accountNumberField, limitOption, option, wordOption } from "../fields.ts";
import { reportList } from "../render.ts";
import { businessName, demandAccount } from "./account.ts";

const YES_OR_NO = ["yes", "no"] as const;

const filters = {
  country: optional(wordOption(COUNTRY_CODES, "Of this platform.")),
  state: optional(wordOption(["active", "frozen", "closed"], "In this state.")),
  type: optional(wordOption(["BUSINESS", "PERSONAL"], "Of this type.")),
  verified: optional(wordOption(YES_OR_NO, "Whether we know who is behind it.")),
  main_merchant: optional(wordOption(YES_OR_NO, "Whether it may make accounts.")),
  made_by: optional(option(accountNumberField, "account_number", "Made by this main merchant.")),
  after: optional(
    option(accountNumberField, "account_number", "The last one that was shown: what follows it."),
  ),
};

/** Each filter as a condition. */
const CONDITIONS: Readonly<Record<keyof typeof filters, (value: string) => Sql>> = {
  country: (code) => sql`country_code = ${code}`,
  state: (status) => sql`status = ${status}`,
  type: (type) => sql`account_type = ${type}`,
  verified: (word) => sql`(verified_at is not null) = ${word === "yes"}`,
  main_merchant: (word) => sql`is_main_merchant = ${word === "yes"}`,
  made_by: (accountNumber) => sql`made_by = ${accountNumber}`,
  after: (accountNumber) => sql`(created_at, account_number) <
    (select created_at, account_number from accounts where account_number = ${accountNumber})`,
};

const LISTED = {
  ...pick(tables.accounts, "account_number", "account_type", "country_code"),
  ...pick(tables.accounts, "email", "first_name", "last_name", "status"),
  business_name: businessName(sql`accounts.account_number`),
  main_merchant: computed(bool, sql`is_main_merchant`),
  ...pick(tables.accounts, "verified_at", "made_by", "created_at"),
};

export const listAccounts = defineRead({
  name: "list-accounts",
  about: "list accounts, newest first",
  more: "show-account shows everything about one of them.",
  fields: { ...filters, limit: limitOption(50) },
  example: {
    given: "--country TT --verified yes --limit 1",
    shows: [
      "Accounts",
      "  account     type      platform  state   verified  main  name            " +
        "business  e-mail            opened",
      "  1234567890  BUSINESS  TT        active  yes       yes   Anika Mohammed  " +
        "-         shop@example.com  2026-11-15 06:32:03Z",
      "  and more: add --after 1234567890",
    ].join("\n"),
  },
  async run({ db }, { limit: max, ...filter }) {
    await demandAccount(db, filter.after);
    const rows = await readAccounts(db, filter, max + 1);
    const after = rows.length > max ? rows[max - 1]?.account_number : undefined;
    const goesOn = after === undefined ? {} : { more: `add --after ${after}`, next: { after } };
    return reportList(
      { title: "Accounts", name: "accounts", rows, max, ...goesOn },
      {
        account: "account_number",
        type: "account_type",
        platform: "country_code",
        state: "status",
        verified: ({ verified_at }) => verified_at !== null,
        main: "main_merchant",
        name: ({ first_name, last_name }) => `${first_name} ${last_name}`,
        business: "business_name",
        "e-mail": "email",
        opened: "created_at",
      },
    );
  },
});

/** Along the index by age; rows that the filters leave out are passed over. */
function readAccounts(
  db: Queryable,
  filter: Values<typeof filters>,
  max: number,
): Promise<Row<typeof LISTED>[]> {
  const condition = Object.entries(CONDITIONS).reduce((all, [name, conditionOf]) => {
    const value = filter[name as keyof typeof filters];
    return value === undefined ? all : sql`${all} and ${conditionOf(value)}`;
  }, sql`true`);
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED)} from accounts where ${condition}
    order by created_at desc, account_number desc limit ${max}`);
}
