/**
 * Changes how an account is called and reached: e-mail, names, phone. What it is (type, platform,
 * verified) is not for a main merchant to say, and a password is its owner's (Decision 0022).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { phoneField } from "../platforms/phone.ts";
import type { AccountsContext } from "./context.ts";
import { refuseTakenEmail } from "./email-taken.ts";
import { lockManaged, MANAGED, type ManagedRow } from "./managed-account.ts";

/** By the names of the wire, which the audit trail keeps too. */
export const NOTHING_TO_CHANGE = "Give at least one of email, first_name, last_name and phone.";

export interface AccountChange {
  readonly email: string | undefined;
  readonly first_name: string | undefined;
  readonly last_name: string | undefined;
  readonly phone: string | undefined;
}

export async function changeAccount(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountNumber: string,
  change: AccountChange,
): Promise<ManagedRow> {
  const account = await lockManaged(ctx, tx, caller, accountNumber);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
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
  const detail = { fields: given.map(([name]) => name) };
  await recordAudit(tx, caller, "account_changed", { to: accountNumber, detail });
  return changed;
}
