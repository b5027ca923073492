/**
 * Changes an account's e-mail, names and phone. A main merchant cannot change its type, platform or
 * verification, nor its password (Decision 0022). Who has the e-mail gets links for a new password,
 * so its change is told, and a narrow credential does not change that of its own account (Decision
 * 0138). Nor does a main merchant change that of an owner who is more than its own creation
 * (Decision 0142). A password that was set by a link was chosen by who has the e-mail there was, so
 * it proves nothing of another one (Decision 0147).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal, NothingToChange } from "../../kit/errors.ts";
import { includesScope } from "../../kit/scopes.ts";
import { phoneField } from "../platforms/phone.ts";
import type { AccountsContext } from "./context.ts";
import { refuseTakenEmail } from "./create-account.ts";
import { lockManaged, MANAGED, type ManagedRow } from "./managed-account.ts";

export const NOTHING_TO_CHANGE = "Give at least one of email, first_name, last_name and phone.";

export class OwnEmailStays extends fixedRefusal("own_email_stays") {}

export class OwnersEmailStays extends fixedRefusal("owners_email_stays") {}

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
  const email = change.email ?? account.email;
  if (email !== account.email) {
    if (accountNumber === caller.accountNumber) demandMayMoveOwnEmail(caller);
    else await demandFirstPassword(tx, accountNumber);
  }
  const changed = await refuseTakenEmail(
    tx.one(sqlOf(MANAGED)`
      update accounts set
        email = ${email},
        first_name = ${change.first_name ?? account.first_name},
        last_name = ${change.last_name ?? account.last_name},
        phone = ${change.phone ?? account.phone},
        password_chosen_at = case when email = ${email} then password_chosen_at end
      where account_number = ${account.account_number}
      returning ${columns(MANAGED)}`),
  );
  if (email !== account.email) {
    await endResetLink(tx, accountNumber);
    await ctx.tellOfEmail(ctx.config, tx, caller, {
      accountNumber,
      from: account.email,
      to: email,
    });
  }
  await recordAudit(tx, caller, "account_changed", { to: accountNumber, detail: { fields } });
  return changed;
}

/** It would be worth as much as the password, which is another right (Interface §5.8). */
function demandMayMoveOwnEmail({ credential, scopes }: Caller): void {
  if (credential.kind === "key" || !includesScope(scopes, "svc-user-update"))
    throw new OwnEmailStays();
}

/**
 * Who has the e-mail is the person, with all that person may do. So the maker moves it only while
 * the first password stands and the person acts for no other account. A raised epoch refuses more
 * than it must: it does not say who raised it (Decision 0147). The person is held: a member joins
 * by the e-mail there is (`accept-invitation.ts`).
 */
async function demandFirstPassword(tx: Tx, accountNumber: string): Promise<void> {
  await tx.maybeOne(sqlOf({})`
    select from persons where holder_of = ${accountNumber} for update`);
  const own = await tx.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${accountNumber}
      and (credential_epoch > 1 or exists (
        select from persons join members using (person_id)
        where holder_of = accounts.account_number
          and members.account_number <> accounts.account_number))`);
  if (own !== undefined) throw new OwnersEmailStays();
}

/** One that waits in the mailbox of the old address must not open the account. */
async function endResetLink(tx: Tx, accountNumber: string): Promise<void> {
  await tx.run(sql`
    delete from reset_links using persons
    where persons.person_id = reset_links.person_id and holder_of = ${accountNumber}`);
}
