/** Lists accounts that still use names of 1.x or a deprecated method, to inform their owners. */

import { sqlOf } from "../../../infra/db/query.ts";
import { columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { scopeNamed } from "../../../kit/scopes.ts";
import { DEPRECATED_METHOD } from "../../v1-compat/deprecated-method.ts";
import { V1_PATHS } from "../../v1-compat/v1-paths.ts";
import { BEARER, NO_CREDENTIAL } from "../../v1-compat/v1-use.ts";
import { defineRead } from "../command.ts";
import { accountOption, timeOption } from "../fields.ts";
import { reportList } from "../render.ts";
import { demandAccount } from "./account.ts";

const ROWS_MAX = 1_000;

const USE = {
  ...pick(tables.accounts, "account_number", "email"),
  ...pick(tables.former_uses, "name", "credential", "use_count", "first_at", "last_at"),
};

export const v1Callers = defineRead({
  name: "former-callers",
  about: "list who still uses paths and scopes of 1.x, or the payment method credit_card",
  more:
    "The last to call first, with the name to use instead. A key is named by its kid, a bearer " +
    "token is just that; a payment request carries no credential. Only requests that were " +
    "accepted count.",
  fields: {
    account: accountOption,
    since: timeOption("Used since this: a day of UTC, or a time."),
  },
  example: {
    given: "--account 1234567890",
    shows: `Former names in use
  account     used                       now                 with   times  last
  1234567890  GET /transactions/history  GET /transactions/  token  1      2026-11-15 06:32:05Z`,
  },
  async run({ db }, { account = null, since = null }) {
    await demandAccount(db, account);
    const rows = await db.rows(sqlOf(USE)`
      select ${columns(USE)}
      from former_uses join accounts using (account_number)
      where (${account}::text is null or account_number = ${account})
        and (${since}::timestamptz is null or last_at >= ${since})
      order by last_at desc, account_number, name, credential limit ${ROWS_MAX + 1}`);
    return reportList(
      { title: "Former names in use", name: "callers", rows: rows.map(viewUse), max: ROWS_MAX },
      {
        account: "account_number",
        used: "used",
        now: "now",
        with: "credential",
        times: "times",
        last: "last_at",
      },
    );
  },
});

function viewUse({ name, credential, use_count, ...row }: Row<typeof USE>) {
  return {
    account_number: row.account_number,
    email: row.email,
    used: name,
    now: todaysName(name),
    credential:
      credential === BEARER || credential === NO_CREDENTIAL ? credential : `key ${credential}`,
    times: Number(use_count),
    first_at: row.first_at,
    last_at: row.last_at,
  };
}

function todaysName(name: string): string | undefined {
  if (name === DEPRECATED_METHOD.used) return DEPRECATED_METHOD.now;
  return V1_PATHS.find(({ was }) => was === name)?.is.join(" or ") ?? scopeNamed(name);
}
