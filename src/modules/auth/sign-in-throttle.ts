/**
 * Guessing at one account from many addresses. After so many failures within half an hour,
 * addresses that the account never signed in from are refused, with the response of a wrong
 * password. Known addresses, tokens and keys are not affected (Decision 0011).
 */

import { insertAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bool } from "../../infra/db/row.ts";
import type { SignInAccount } from "../accounts/account.ts";
import { BROWSER_SECONDS } from "../people/known-browser.ts";
import type { AuthContext } from "./context.ts";

export const FAILURES_COUNT_FOR_SECONDS = 30 * 60;
/** After the last sign-in from an address; as long as a browser is known. */
export const KNOWN_SECONDS = BROWSER_SECONDS;

type Judged = "right" | "wrong" | "throttled";

/**
 * Compares a password with the account's, or with a dummy in the same time, and checks the throttle
 * before the hash and again after it. Guesses that arrive together all pass the first check before
 * any of them is counted; they are hashed a few at a time, so by the second check the earlier ones
 * have been written. What passes are those whose hashes end while another failure is being written:
 * `HASHES_AT_ONCE` in each process, as long as a hash takes longer than that.
 */
export async function judgePassword(
  ctx: AuthContext,
  account: SignInAccount | undefined,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<Judged> {
  const wasThrottled = await isThrottled(ctx, account, address);
  const stored = account?.isActive && !wasThrottled ? account.password : undefined;
  const matches = await ctx.passwords.matches(password, stored);
  // In every case, and before a failure is counted: otherwise the response time would reveal a
  // right password, or which accounts exist.
  const isThrottledNow = await isThrottled(ctx, account, address);
  if (wasThrottled || isThrottledNow) return "throttled";
  return matches ? "right" : "wrong";
}

async function isThrottled(
  ctx: AuthContext,
  account: SignInAccount | undefined,
  address: string,
): Promise<boolean> {
  const { failuresMax } = ctx.config.passwords;
  if (failuresMax === 0) return false;
  // For unknown accounts too, so that both cost the same.
  const accountNumber = account?.accountNumber ?? "";
  const { throttled } = await ctx.db.one(sqlOf({ throttled: bool })`
    select (select count(*) from (
        select from sign_in_failures
        where account_number = ${accountNumber}
          and failed_at > real_now() - make_interval(secs => ${FAILURES_COUNT_FOR_SECONDS})
        limit ${failuresMax}) as recent) >= ${failuresMax}
      and not exists (select from known_addresses
        where account_number = ${accountNumber} and address = ${address}) as throttled`);
  return throttled;
}

/**
 * Never rejects: the response does not depend on it. An address from which the password was right
 * and the code was not is known no more, or codes could be guessed there without end.
 */
export async function rememberFailure(
  ctx: AuthContext,
  account: SignInAccount,
  { address, hadPassword = false }: { readonly address: string; readonly hadPassword?: boolean },
): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      if (hadPassword)
        await tx.run(sql`
          delete from known_addresses
          where account_number = ${account.accountNumber} and address = ${address}`);
      if (ctx.config.passwords.failuresMax > 0)
        await tx.run(sql`
          insert into sign_in_failures (account_number, address)
          values (${account.accountNumber}, ${address})`);
      await insertAudit(tx, {
        action: "sign_in_failed",
        accountNumber: account.accountNumber,
        actor: address,
      });
    });
  } catch (error) {
    ctx.log.warn({ err: error }, "a failed sign-in could not be recorded");
  }
}

export async function rememberAddress(
  ctx: AuthContext,
  account: SignInAccount,
  address: string,
): Promise<void> {
  if (ctx.config.passwords.failuresMax === 0) return;
  await ctx.db.run(sql`
    insert into known_addresses (account_number, address)
    values (${account.accountNumber}, ${address})
    on conflict (account_number, address) do update set seen_at = real_now()`);
}
