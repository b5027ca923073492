/**
 * Sets the password of the account that a reset link was made for (Decision 0070).
 *
 * The link is used up in the tx that sets the password, under the account's lock, so of two posts
 * with one link exactly one takes effect. As with a changed password, the credential epoch goes up
 * and every sign-in of the account ends on every process; API keys stay. Hashing happens before
 * the tx.
 */

import { insertAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { FieldRefused, fixedRefusal } from "../../kit/errors.ts";
import { findByNumber, hasPassword, type SignInAccount, setPassword } from "../accounts/account.ts";
import { newPasswordField, type PasswordDigest } from "../accounts/passwords.ts";
import { demandNewPassword, type PasswordChange, SAME_AS_OLD } from "./change-password.ts";
import type { UserContext } from "./context.ts";
import { accountOfResetLink } from "./reset-link.ts";

/** Unknown, used, replaced, expired, of an account that is not active: all the same to a caller. */
export class ResetLinkInvalid extends fixedRefusal("reset_link_invalid") {}

interface PasswordReset extends Omit<PasswordChange, "old_password"> {
  readonly token: string;
}

/** A sentence for the field it belongs to. */
export interface ResetProblem {
  readonly field: "new_password" | "confirm_password";
  readonly sentence: string;
}

/** The account whose password the link sets. */
export async function demandResetLink({ db }: UserContext, token: string): Promise<SignInAccount> {
  const accountNumber = await accountOfResetLink(db, token);
  if (accountNumber === undefined) throw new ResetLinkInvalid("no such link, or it has expired");
  const holder = await findByNumber(db, accountNumber);
  if (holder === undefined) throw new ResetLinkInvalid("the account is gone");
  return holder;
}

/** What is wrong with the passwords; undefined once the new one is set. */
export async function resetPassword(
  ctx: UserContext,
  holder: SignInAccount,
  reset: PasswordReset,
): Promise<ResetProblem | undefined> {
  const problem = problemOf(ctx, holder, reset);
  if (problem !== undefined) return problem;
  // Last, because it costs a hash: a password that may have leaked must not be set again.
  if (await ctx.passwords.matches(reset.new_password, holder.password))
    return { field: "new_password", sentence: SAME_AS_OLD };
  const fresh = await ctx.passwords.digest(reset.new_password);
  await ctx.db.transaction((tx) => replacePassword(tx, holder, reset, fresh), {
    confirm: () => hasPassword(ctx.db, holder, fresh),
  });
  return undefined;
}

function problemOf(
  { config }: UserContext,
  holder: SignInAccount,
  reset: PasswordReset,
): ResetProblem | undefined {
  try {
    newPasswordField(config.passwords).read(reset.new_password, "new_password");
    demandNewPassword(holder, reset);
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldRefused)) throw error;
    // In the words of the page, which has no "confirm password".
    if (error.field === "confirm_password")
      return { field: error.field, sentence: "The passwords do not match." };
    return { field: "new_password", sentence: error.message };
  }
}

async function replacePassword(
  tx: Tx,
  { accountNumber, credentialEpoch }: SignInAccount,
  { token, address }: PasswordReset,
  fresh: PasswordDigest,
): Promise<true> {
  // The account first, as everywhere. A post that waited here reads the link only afterwards.
  await tx.run(sql`
    select from accounts where account_number = ${accountNumber} for no key update`);
  if ((await accountOfResetLink(tx, token, sql`for update of link`)) !== accountNumber)
    throw new ResetLinkInvalid("used or replaced in between");
  await tx.run(sql`delete from password_resets where account_number = ${accountNumber}`);
  // A valid link means that the epoch is still the one that was read before the hash.
  await setPassword(tx, { accountNumber, credentialEpoch: credentialEpoch + 1 }, fresh);
  await insertAudit(tx, { action: "password_reset", accountNumber, actor: address });
  return true;
}
