/**
 * Changes an account's e-mail, names and phone. A main merchant cannot change its type, platform or
 * verification, nor its password (Decision 0022).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { phoneField } from "../platforms/phone.ts";
import type { AccountsContext } from "./context.ts";
import { refuseTakenEmail } from "./create-account.ts";
import { lockManaged, MANAGED, type ManagedRow } from "./managed-account.ts";

export const NOTHING_TO_CHANGE = "Give at least one of email, first_name, last_name and phone.";

type ChangedField = "email" | "first_name" | "last_name" | "phone";

export async function changeAccount(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountNumber: string,
  change: Readonly<Record<ChangedField, string | undefined>>,
): Promise<ManagedRow> {
  const account = await lockManaged(ctx, tx, caller, accountNumber);
  const fields = Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (fields.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  if (change.phone !== undefined) phoneField(account.country_code).read(change.phone, "phone");
  const changed = await refuseTakenEmail(
    tx.one(sqlOf(MANAGED)`
      update accounts set
        email = ${change.email ?? account.email},
        first_name = ${change.first_name ?? account.first_name},
        last_name = ${change.last_name ?? account.last_name},
        phone = ${change.phone ?? account.phone}
      where account_number = ${account.account_number}
      returning ${columns(MANAGED)}`),
  );
  if (changed.email !== account.email) await endResetLink(tx, accountNumber);
  await recordAudit(tx, caller, "account_changed", { to: accountNumber, detail: { fields } });
  return changed;
}

/** One that waits in the mailbox of the old address must not open the account. */
async function endResetLink(tx: Tx, accountNumber: string): Promise<void> {
  await tx.run(sql`
    delete from reset_links using persons
    where persons.person_id = reset_links.person_id and holder_of = ${accountNumber}`);
}
