/** Changes what customers see of the business. What is left out stays; null clears a field. */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import type { Values } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { type BusinessFields, findBusiness } from "./business.ts";
import type { businessBody } from "./business-fields.ts";

export const NOTHING_TO_CHANGE = "Give at least one field of the business profile.";

type BusinessChange = Values<typeof businessBody>;

export async function changeBusiness(
  tx: Tx,
  caller: Caller,
  change: BusinessChange,
): Promise<void> {
  await holdCredential(tx, caller, "write");
  const fields = await writeBusiness(tx, caller.accountNumber, change);
  await recordAudit(tx, caller, "business_changed", { detail: { fields } });
}

/** Gives the names of the fields that were changed. */
export async function writeBusiness(
  tx: Tx,
  accountNumber: string,
  change: BusinessChange,
): Promise<readonly string[]> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  const now: BusinessFields = {
    ...(await findBusiness(tx, accountNumber)),
    ...Object.fromEntries(given),
  };
  await tx.run(sql`
    insert into businesses (account_number, business_name, website, support_email, support_phone,
      accent_colour, time_zone, language, updated_at)
    values (${accountNumber}, ${now.business_name}, ${now.website}, ${now.support_email},
      ${now.support_phone}, lower(${now.accent_colour}), ${now.time_zone}, ${now.language},
      app_now())
    on conflict on constraint an_account_has_one_business do update set
      business_name = excluded.business_name, website = excluded.website,
      support_email = excluded.support_email, support_phone = excluded.support_phone,
      accent_colour = excluded.accent_colour, time_zone = excluded.time_zone,
      language = excluded.language, updated_at = excluded.updated_at`);
  return given.map(([name]) => name);
}
