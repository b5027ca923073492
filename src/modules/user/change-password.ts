/**
 * Changes the account's password (Interface §4.5, Decision 0020).
 *
 * The credential epoch goes up in the same tx, so every other sign-in, with all that could be
 * refreshed from it, is invalid on every process once this is answered. The caller's own sign-in is
 * carried over, and API keys stay. Hashing happens outside the tx; a change in between makes this
 * one fail.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldsConflict, fixedRefusal } from "../../kit/errors.ts";
import { findByNumber, hasPassword, type SignInAccount, setPassword } from "../accounts/account.ts";
import { demandNewPassword, SAME_AS_OLD } from "../accounts/new-password.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";
import { carryOver, holdCredential } from "../auth/hold-credential.ts";
import { judgePassword, rememberFailure } from "../auth/sign-in-throttle.ts";
import { invalid, Unauthorized } from "../auth/unauthorized.ts";
import { findHolder } from "../people/person.ts";
import { tellOfPassword, whoCalled } from "../people/tell-owners.ts";
import type { UserContext } from "./context.ts";

export class OldPasswordIncorrect extends fixedRefusal("old_password_incorrect") {}

export interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
  readonly confirm_password: string;
  readonly address: string;
}

export async function changePassword(
  ctx: UserContext,
  caller: Caller,
  change: PasswordChange,
): Promise<void> {
  ctx.passwords.demandRoom();
  const holder = await findByNumber(ctx.db, caller.accountNumber);
  if (!holder?.isActive) throw new Unauthorized(invalid("closed while the request was under way"));
  // These need no hash, so they come before the old password: their answers reveal nothing of it.
  if (change.new_password === change.old_password)
    throw new FieldsConflict(SAME_AS_OLD, "new_password");
  demandNewPassword(holder, change);
  await demandOldPassword(ctx, holder, change);
  const fresh = await ctx.passwords.digest(change.new_password);
  await ctx.db.transaction(
    (tx) => replacePassword(ctx, tx, caller, { holder, fresh, address: change.address }),
    {
      confirm: () => hasPassword(ctx.db, holder, fresh),
    },
  );
}

/** A wrong guess counts with those at the sign-in (Decision 0011). */
async function demandOldPassword(
  ctx: UserContext,
  holder: SignInAccount,
  { old_password: password, address }: PasswordChange,
): Promise<void> {
  const judged = await judgePassword(ctx, holder, { password, address });
  if (judged === "right") return;
  // Awaited, unlike at the sign-in: there is no account to hide, and the next guess must see it.
  if (judged === "wrong") await rememberFailure(ctx, holder, { address });
  throw new OldPasswordIncorrect(judged);
}

interface Replacing {
  readonly holder: SignInAccount;
  readonly fresh: PasswordDigest;
  readonly address: string;
}

async function replacePassword(
  { config }: UserContext,
  tx: Tx,
  caller: Caller,
  { holder: { accountNumber, credentialEpoch }, fresh, address }: Replacing,
): Promise<true> {
  const epoch = await holdCredential(tx, caller, "write");
  if (epoch !== credentialEpoch) throw new OldPasswordIncorrect("changed in between");
  const account = { accountNumber, credentialEpoch: epoch + 1, isByMailedLink: false };
  await setPassword(tx, account, fresh);
  await carryOver(tx, caller, epoch + 1);
  await recordAudit(tx, caller, "password_changed");
  const person = await findHolder(tx, accountNumber);
  const by = { ...(await whoCalled(tx, caller.credential)), address };
  if (person !== undefined) await tellOfPassword(config, tx, person, { how: "by the API", by });
  return true;
}
