/**
 * An account as the main merchant that manages it sees it: its own, and those it made (Interface
 * §4.5, Decision 0022). Unknown, foreign and closed accounts are one 404, decided by one statement.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { Forbidden, fixedRefusal, NotFound } from "../../kit/errors.ts";
import {
  flagSchema,
  orNull,
  textSchema,
  timestampSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { PROFILE } from "./account.ts";
import type { AccountsContext } from "./context.ts";

const ACCOUNT_NUMBER = /^[1-9][0-9]{9}$/;

export class AccountIsFrozen extends fixedRefusal("account_frozen") {}

export const MANAGED = { ...PROFILE, ...pick(tables.accounts, "status", "created_at") };

export type ManagedRow = Row<typeof MANAGED>;

export const managedView = Type.Object(
  {
    account_number: textSchema("Ten digits.", "6789012345"),
    account_type: wordSchema(["PERSONAL", "BUSINESS"], "What it may do."),
    email: textSchema("What its owner signs in with.", "shop@example.com"),
    first_name: textSchema("The owner's.", "Anika"),
    last_name: textSchema("The owner's.", "Mohammed"),
    phone: orNull(textSchema("In E.164 form.", "+18686235555")),
    verified: flagSchema("Whether it takes live payments.", false),
    created_at: timestampSchema("When it was made."),
  },
  { title: "Account" },
);

export function viewManaged({ country_code, status, ...view }: ManagedRow) {
  return view;
}

export async function findManaged(
  db: Queryable,
  caller: Caller,
  accountNumber: string,
  lock: "for update" | "no lock" = "no lock",
): Promise<ManagedRow> {
  if (!ACCOUNT_NUMBER.test(accountNumber)) throw new NotFound("not the shape of a number");
  const row = await db.maybeOne(sqlOf(MANAGED)`
    select ${columns(MANAGED)} from accounts
    where account_number = ${accountNumber} and ${caller.accountNumber} in (account_number, made_by)
      and status <> 'closed'
    ${lock === "for update" ? sql`for update` : sql``}`);
  if (row === undefined)
    throw new NotFound("no such account, closed, or not managed by the caller");
  return row;
}

/**
 * Holds the account until the tx ends. The caller's row comes first and a maker is always above
 * what it made, so two of these cannot deadlock.
 */
export async function lockManaged(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountNumber: string,
): Promise<ManagedRow> {
  // As strongly as needed at once: two that share the row and both upgrade would deadlock.
  const isOwn = accountNumber === caller.accountNumber;
  await demandStillManages(ctx, tx, caller, isOwn ? "write" : "read");
  const account = await findManaged(tx, caller, accountNumber, "for update");
  if (account.status === "frozen") throw new AccountIsFrozen();
  return account;
}

/**
 * Whether the credential is still good and the caller still a main merchant, held so until the tx
 * ends. The request may have begun long before: its body can be slow to arrive, its password slow
 * to hash.
 */
export async function demandStillManages(
  ctx: AccountsContext,
  tx: Tx,
  caller: Caller,
  accountRow: "read" | "write" = "read",
): Promise<void> {
  await ctx.holdCredential(tx, caller, accountRow);
  const still = await tx.maybeOne(sqlOf({})`
    select from accounts where account_number = ${caller.accountNumber} and is_main_merchant`);
  if (still === undefined) throw new Forbidden("no main merchant any more");
}
