/**
 * Gives the account a new password (Interface §4.5, Decision 0020).
 *
 * The rule that matters: the credential epoch goes up in the same tx, so every other sign-in, with
 * all that could be refreshed from it, is dead on every process once this is answered. The sign-in
 * that asked is carried over; API keys are no sign-ins and stay. Hashing happens outside the tx,
 * and a change that came in between makes this one too late.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldsConflict, ServiceError } from "../../kit/errors.ts";
import { findByNumber, hasPassword, type SignInAccount, setPassword } from "../accounts/account.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";
import { carryOver, holdCredential } from "../auth/hold-credential.ts";
import { judgePassword, rememberFailure } from "../auth/sign-in-throttle.ts";
import { invalid, Unauthorized } from "../auth/unauthorized.ts";
import type { UserContext } from "./context.ts";
import { demandNewPassword, SAME_AS_OLD } from "./new-password-rules.ts";

export class OldPasswordIncorrect extends ServiceError {
  constructor(cause: string) {
    super({
      status: 400,
      code: "old_password_incorrect",
      message: "The old password is incorrect.",
      field: "old_password",
      cause,
    });
  }
}

export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
  readonly address: string;
}

export async function changePassword(
  ctx: UserContext,
  caller: Caller,
  change: PasswordChange,
): Promise<void> {
  ctx.passwords.demandRoom();
  const holder = await findHolder(ctx, caller);
  judgeNew(holder, change);
  await demandOldPassword(ctx, holder, change);
  const fresh = await ctx.passwords.digest(change.newPassword);
  await ctx.db.transaction((tx) => replacePassword(tx, caller, holder, fresh), {
    confirm: () => hasPassword(ctx.db, holder, fresh),
  });
}

async function findHolder({ db }: UserContext, { accountNumber }: Caller): Promise<SignInAccount> {
  const holder = await findByNumber(db, accountNumber);
  if (!holder?.isActive) throw new Unauthorized(invalid("closed while the request was under way"));
  return holder;
}

/** Needs no hash, so it comes before the old password: nothing is learnt from its answers. */
function judgeNew(holder: SignInAccount, change: PasswordChange): void {
  const { oldPassword, newPassword, confirmPassword: repeated } = change;
  if (newPassword === oldPassword) throw new FieldsConflict(SAME_AS_OLD, "new_password");
  demandNewPassword(holder, { newPassword, repeated });
}

/** A guess is a guess wherever it is made: it counts with those at the sign-in (Decision 0011). */
async function demandOldPassword(
  ctx: UserContext,
  holder: SignInAccount,
  { oldPassword, address }: PasswordChange,
): Promise<void> {
  const judged = await judgePassword(ctx, holder, { password: oldPassword, address });
  if (judged === "right") return;
  // Awaited, unlike at the sign-in: there is no account to hide, and the next guess must find it.
  if (judged === "wrong") await rememberFailure(ctx, holder, address);
  throw new OldPasswordIncorrect(judged);
}

async function replacePassword(
  tx: Tx,
  caller: Caller,
  { accountNumber, credentialEpoch }: SignInAccount,
  fresh: PasswordDigest,
): Promise<true> {
  const epoch = await holdCredential(tx, caller, "write");
  if (epoch !== credentialEpoch) throw new OldPasswordIncorrect("changed in between");
  await setPassword(tx, { accountNumber, credentialEpoch: epoch + 1 }, fresh);
  await carryOver(tx, caller, epoch + 1);
  await recordAudit(tx, caller, "password_changed");
  return true;
}
