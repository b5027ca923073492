/** By which clock an account's days begin: its business's own, else that of its country. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { platformOf } from "../platforms/platform.ts";

const ZONE = pick(tables.businesses, "time_zone");

export async function timeZoneOf(
  db: Queryable,
  account: { readonly accountNumber: string; readonly countryCode: CountryCode },
): Promise<string> {
  const business = await db.maybeOne(sqlOf(ZONE)`
    select time_zone from businesses where account_number = ${account.accountNumber}`);
  return business?.time_zone ?? platformOf(account.countryCode).timeZone;
}
