/** Lists accounts, newest first, by what an operator knows of them (Decision 0073). */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { optional, type Values } from "../../../kit/fields/field.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { asked, defineRead } from "../command.ts";
import { rowsField } from "../fields.ts";
import { renderTable } from "../render.ts";
import { accountNumberField, demandAccount } from "./account.ts";

const ROWS_DEFAULT = 50;
const ROWS_MAX = 1_000;
const STATES = ["active", "frozen", "closed"] as const;
const TYPES = ["BUSINESS", "PERSONAL"] as const;

const word = <const W extends string>(words: readonly W[], about: string) =>
  optional(asked(oneOf(words), words.join("|"), about));
const yesOrNo = (about: string) => word(["yes", "no"], about);

const fields = {
  country: word(COUNTRY_CODES, "Of this platform."),
  state: word(STATES, "In this state."),
  type: word(TYPES, "Of this type."),
  verified: yesOrNo("Whether we know who is behind it."),
  main_merchant: yesOrNo("Whether it may make accounts."),
  made_by: optional(asked(accountNumberField, "account_number", "Made by this main merchant.")),
  after: optional(
    asked(accountNumberField, "account_number", "The last one that was shown: what follows it."),
  ),
  limit: rowsField(ROWS_DEFAULT, ROWS_MAX),
};

const LISTED = {
  ...pick(
    tables.accounts,
    "account_number",
    "account_type",
    "country_code",
    "email",
    "first_name",
    "last_name",
    "status",
  ),
  main_merchant: computed(bool, sql`is_main_merchant`),
  ...pick(tables.accounts, "verified_at", "made_by", "created_at"),
};

type ListedAccount = Row<typeof LISTED>;

export const listAccounts = defineRead({
  name: "list-accounts",
  about: "list accounts, newest first",
  more: "show-account tells everything about one of them.",
  fields,
  example: {
    given: "--country TT --verified yes --limit 1",
    shows: [
      "Accounts",
      "  account     type      platform  state   verified  main  name            " +
        "e-mail            opened",
      "  1234567890  BUSINESS  TT        active  yes       yes   Anika Mohammed  " +
        "shop@example.com  2026-11-15 06:32:03Z",
      "  and more: add --after 1234567890",
    ].join("\n"),
  },
  async run({ db }, { limit, ...filter }) {
    if (filter.after !== undefined) await demandAccount(db, filter.after);
    const found = await readAccounts(db, filter, Number(limit) + 1);
    const rows = found.slice(0, Number(limit));
    const isComplete = found.length === rows.length;
    const last = rows.at(-1)?.account_number;
    return {
      data: { accounts: rows, is_complete: isComplete },
      text: render(rows) + (isComplete ? "" : `\n  and more: add --after ${last}`),
    };
  },
});

/** Along the index by age; rows that the filters leave out are passed over. */
function readAccounts(
  db: Queryable,
  filter: Omit<Values<typeof fields>, "limit">,
  max: number,
): Promise<ListedAccount[]> {
  const { country, state, type, after, made_by } = filter;
  const all = [
    ...(country === undefined ? [] : [sql`country_code = ${country}`]),
    ...(state === undefined ? [] : [sql`status = ${state}`]),
    ...(type === undefined ? [] : [sql`account_type = ${type}`]),
    ...(filter.verified === undefined
      ? []
      : [sql`(verified_at is not null) = ${filter.verified === "yes"}`]),
    ...(filter.main_merchant === undefined
      ? []
      : [sql`is_main_merchant = ${filter.main_merchant === "yes"}`]),
    ...(made_by === undefined ? [] : [sql`made_by = ${made_by}`]),
    ...(after === undefined
      ? []
      : [
          sql`(created_at, account_number) <
            (select created_at, account_number from accounts where account_number = ${after})`,
        ]),
  ];
  const condition = all.reduce((one, other) => sql`${one} and ${other}`, sql`true`);
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED)} from accounts where ${condition}
    order by created_at desc, account_number desc limit ${max}`);
}

function render(rows: readonly ListedAccount[]): string {
  return renderTable(
    "Accounts",
    ["account", "type", "platform", "state", "verified", "main", "name", "e-mail", "opened"],
    rows.map((row) => [
      row.account_number,
      row.account_type,
      row.country_code,
      row.status,
      row.verified_at !== null,
      row.main_merchant,
      `${row.first_name} ${row.last_name}`,
      row.email,
      row.created_at,
    ]),
  );
}
