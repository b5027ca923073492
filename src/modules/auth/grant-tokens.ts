/**
 * Signs somebody in: e-mail, password and scopes for a pair of tokens (Interface §2.1, §5.5).
 *
 * An unknown e-mail, a wrong password, a closed account and a throttled one get the same answer
 * after the same work. A token is only made inside the tx that finds everything in order, so the
 * 403 for a scope that is not allowed leaves nothing behind that could be used, not even for a
 * moment.
 */

import { insertAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";
import { Forbidden, ServiceError } from "../../kit/errors.ts";
import { newGrantId } from "../../kit/ids.ts";
import type { Scope } from "../../kit/scopes.ts";
import {
  findByEmail,
  lockActiveAt,
  replaceDigest,
  type SignInAccount,
} from "../accounts/account.ts";
import { mayHold } from "./allowed-scopes.ts";
import type { AuthContext } from "./context.ts";
import { issuePair } from "./issue-pair.ts";
import type { TokenPair } from "./refresh-token.ts";
import { judgePassword, rememberAddress, rememberFailure } from "./sign-in-throttle.ts";

export class CredentialsIncorrect extends ServiceError {
  constructor(cause: string) {
    const message = "The user credentials were incorrect.";
    super({
      status: 401,
      code: "invalid_credentials",
      message,
      extra: { error: "invalid_credentials", error_description: message },
      cause,
    });
  }
}

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly scopes: readonly Scope[];
  readonly address: string;
}

export async function grantTokens(ctx: AuthContext, signIn: SignIn): Promise<TokenPair> {
  const account = await checkCredentials(ctx, signIn);
  const refused = signIn.scopes.filter((scope) => !mayHold(account, scope));
  if (refused.length > 0) {
    await recordRefusedScopes(ctx, account, { address: signIn.address, scopes: refused });
    throw new Forbidden("the account may not hold a scope it asks for");
  }
  const pair = await ctx.db.transaction(async (tx) => {
    const stillGood = await lockActiveAt(tx, account);
    if (!stillGood) throw new CredentialsIncorrect("changed while signing in");
    const grantId = newGrantId();
    const issuedAt = await now(tx);
    await tx.run(sql`
      insert into grants
        (grant_id, account_number, scopes, credential_epoch, created_at, expires_at)
      values (${grantId}, ${account.accountNumber}, ${signIn.scopes}, ${account.credentialEpoch},
        ${issuedAt}, ${issuedAt})`);
    const { accountNumber } = account;
    return issuePair(ctx, tx, { accountNumber, grantId, scopes: signIn.scopes, issuedAt });
  });
  await afterSignIn(ctx, account, signIn);
  return pair;
}

/**
 * Somebody has the password and asks for more than the account may do. At most once a minute for
 * each account and process, so that a client in a loop does not fill the audit trail.
 */
async function recordRefusedScopes(
  ctx: AuthContext,
  { accountNumber }: SignInAccount,
  { address, scopes }: { address: string; scopes: readonly Scope[] },
): Promise<void> {
  if (!ctx.scopeRefusals.isFirst(accountNumber)) return;
  try {
    await insertAudit(ctx.db, {
      action: "scope_refused_at_sign_in",
      accountNumber,
      actor: address,
      detail: { scopes },
    });
  } catch (error) {
    // The answer is the same 403 with or without the entry.
    ctx.log.warn({ err: error }, "a refused scope could not be recorded");
  }
}

async function checkCredentials(ctx: AuthContext, signIn: SignIn): Promise<SignInAccount> {
  // Once more: the gate may have filled while the request was counted and its body read.
  ctx.passwords.demandRoom();
  const account = await findByEmail(ctx.db, signIn.email);
  const judged = await judgePassword(ctx, account, signIn);
  if (account !== undefined && judged === "right") return account;
  // Not awaited: writing for accounts that exist, and only for those, would show in the time.
  // One that is throttled counts for nothing, or an owner who keeps trying would never get out.
  if (account !== undefined && judged === "wrong")
    void rememberFailure(ctx, account, signIn.address);
  throw new CredentialsIncorrect(judged === "throttled" ? "throttled" : "unknown or wrong");
}

/** The tokens are out by now: what goes wrong here is made good by the next sign-in. */
async function afterSignIn(ctx: AuthContext, account: SignInAccount, signIn: SignIn) {
  try {
    await rememberAddress(ctx, account, signIn.address);
    if (!ctx.passwords.isOutdated(account.password)) return;
    await replaceDigest(ctx.db, account, await ctx.passwords.digest(signIn.password));
  } catch (error) {
    ctx.log.warn({ err: error }, "a sign-in was not followed up");
  }
}
