/**
 * Signs in: e-mail, password and scopes for a pair of tokens (Interface §2.1, §5.5), and a code
 * where the account asks for one (Decision 0090).
 *
 * An unknown e-mail, a wrong password, a missing or wrong code, a closed account and a throttled
 * one get the same response after the same work. A token is created only inside the tx that has
 * checked everything, so the 403 for a scope that is not allowed never leaves a usable token.
 */

import { insertAudit } from "../../infra/audit.ts";
import { realNow } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";
import { Forbidden, fixedRefusal } from "../../kit/errors.ts";
import { newGrantId } from "../../kit/ids.ts";
import type { Scope } from "../../kit/scopes.ts";
import {
  findByEmail,
  lockActiveAt,
  replaceDigest,
  type SignInAccount,
} from "../accounts/account.ts";
import { findCode, type OneTimeCode, useCode } from "../people/one-time-code.ts";
import { findHolder, NOBODY } from "../people/person.ts";
import { mayHold } from "./allowed-scopes.ts";
import type { AuthContext } from "./context.ts";
import { judgePassword, rememberAddress, rememberFailure } from "./sign-in-throttle.ts";
import { issuePair, type TokenPair } from "./token-pair.ts";

export class CredentialsIncorrect extends fixedRefusal("invalid_credentials") {}

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly scopes: readonly Scope[];
  readonly otp?: string | undefined;
  readonly address: string;
}

interface Checked {
  readonly account: SignInAccount;
  /** To be used up with the sign-in. */
  readonly code: HolderCode | undefined;
}

export async function grantTokens(ctx: AuthContext, signIn: SignIn): Promise<TokenPair> {
  const { scopes } = signIn;
  const { account, code } = await checkCredentials(ctx, signIn);
  const { accountNumber, credentialEpoch } = account;
  const refused = scopes.filter((scope) => !mayHold(account, scope));
  if (refused.length > 0) {
    await recordRefusedScopes(ctx, account, { address: signIn.address, scopes: refused });
    throw new Forbidden("the account may not hold a scope it asks for");
  }
  const pair = await ctx.db.transaction(async (tx) => {
    const stillGood = await lockActiveAt(tx, account);
    if (!stillGood) throw new CredentialsIncorrect("changed while signing in");
    if (code !== undefined && !(await useCode(tx, code.personId, code)))
      throw new CredentialsIncorrect("the code was used in between");
    const grantId = newGrantId();
    const issuedAt = await realNow(tx);
    await tx.run(sql`
      insert into grants
        (grant_id, account_number, scopes, credential_epoch, created_at, expires_at)
      values (${grantId}, ${accountNumber}, ${scopes}, ${credentialEpoch}, ${issuedAt},
        ${issuedAt})`);
    return issuePair(ctx, tx, { accountNumber, grantId, scopes, issuedAt });
  });
  await afterSignIn(ctx, account, signIn);
  return pair;
}

/** At most once a minute for each account and process, so that a loop does not fill the trail. */
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
    // The response is the same 403 without the entry.
    ctx.log.warn({ err: error }, "a refused scope could not be recorded");
  }
}

async function checkCredentials(ctx: AuthContext, signIn: SignIn): Promise<Checked> {
  // Again: it may have filled while the request was counted and its body read.
  ctx.passwords.demandRoom();
  const account = await findByEmail(ctx.db, signIn.email);
  // Before the password is judged, and for every account alike: the time tells nothing.
  const found = await findHolderCode(ctx, account, signIn.otp);
  const judged = await judgePassword(ctx, account, signIn);
  const needsCode = account?.apiSignIn === "password_and_code";
  const isAllowed = needsCode ? found !== undefined : account?.apiSignIn === "password";
  if (account !== undefined && judged === "right" && isAllowed)
    return { account, code: needsCode ? found : undefined };
  // Not awaited: a write for existing accounts only would show in the response time. A throttled
  // attempt is not counted, or an owner who keeps trying would stay throttled.
  if (account !== undefined && judged !== "throttled")
    void rememberFailure(ctx, account, {
      address: signIn.address,
      hadPassword: judged === "right",
    });
  throw new CredentialsIncorrect(judged === "throttled" ? "throttled" : "unknown or wrong");
}

type HolderCode = OneTimeCode & { readonly personId: string };

async function findHolderCode(
  ctx: AuthContext,
  account: SignInAccount | undefined,
  otp = "",
): Promise<HolderCode | undefined> {
  if (otp === "") return undefined;
  const holder = await findHolder(ctx.db, account?.accountNumber ?? "");
  const personId = holder?.personId ?? NOBODY;
  const code = await findCode(ctx, ctx.db, personId, otp);
  return code === undefined ? undefined : { ...code, personId };
}

/** The tokens are already committed; what fails here is repaired by the next sign-in. */
async function afterSignIn(ctx: AuthContext, account: SignInAccount, signIn: SignIn) {
  try {
    await rememberAddress(ctx, account, signIn.address);
    if (!ctx.passwords.isOutdated(account.password)) return;
    await replaceDigest(ctx.db, account, await ctx.passwords.digest(signIn.password));
  } catch (error) {
    ctx.log.warn({ err: error }, "a sign-in was not followed up");
  }
}
