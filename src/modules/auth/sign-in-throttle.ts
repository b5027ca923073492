/**
 * Guessing at one account from many addresses. After so many failures within half an hour,
 * addresses the account never signed in from are refused, with the words of a wrong password. Where
 * the owner has been before stays welcome, and tokens and keys already out are not touched
 * (Decision 0011).
 */

import { insertAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bool } from "../../infra/db/row.ts";
import type { SignInAccount } from "../accounts/account.ts";
import type { AuthContext } from "./context.ts";

export const FAILURES_COUNT_FOR_SECONDS = 30 * 60;

type Judged = "right" | "wrong" | "throttled";

/**
 * Holds a password against the account's, or against nobody's in the same time, and asks the
 * throttle before the hash and again after it. Guesses that come at once are all asked about before
 * the first of them is counted; they are hashed a few at a time, so by the second look those before
 * have been written down. What slips through are those whose hashes end while another's failure is
 * being written: `HASHES_AT_ONCE` in each process, as long as a hash takes longer than that.
 */
export async function judgePassword(
  ctx: AuthContext,
  account: SignInAccount | undefined,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<Judged> {
  const wasThrottled = await isThrottled(ctx, account, address);
  const stored = account?.isActive && !wasThrottled ? account.password : undefined;
  const matches = await ctx.passwords.matches(password, stored);
  // Whatever came out, and before a failure is counted: otherwise the time of an answer would tell
  // right from wrong, or who has an account.
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
  // Asked for unknown accounts too, so that both cost the same.
  const accountNumber = account?.accountNumber ?? "";
  const { throttled } = await ctx.db.one(sqlOf({ throttled: bool })`
    select (select count(*) from (
        select from sign_in_failures
        where account_number = ${accountNumber}
          and failed_at > app_now() - make_interval(secs => ${FAILURES_COUNT_FOR_SECONDS})
        limit ${failuresMax}) as recent) >= ${failuresMax}
      and not exists (select from known_addresses
        where account_number = ${accountNumber} and address = ${address}) as throttled`);
  return throttled;
}

/** Never rejects: whoever guessed wrong hears so, whatever becomes of this. */
export async function rememberFailure(
  ctx: AuthContext,
  account: SignInAccount,
  address: string,
): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
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
    on conflict (account_number, address) do update set seen_at = app_now()`);
}
