/**
 * Guessing at one account from many addresses. After so many failures within half an hour,
 * addresses the account never signed in from are refused, with the words of a wrong password. Where
 * the owner has been before stays welcome, and tokens and keys already out are not touched
 * (Decision 0011).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { SignInAccount } from "../accounts/account.ts";
import type { AuthContext } from "./context.ts";

export const FAILURES_COUNT_FOR_SECONDS = 30 * 60;

export async function isThrottled(
  ctx: AuthContext,
  account: SignInAccount | undefined,
  address: string,
): Promise<boolean> {
  const { failuresMax } = ctx.config.passwords;
  if (failuresMax === 0) return false;
  // Asked for unknown accounts too, so that both cost the same.
  const accountNumber = account?.accountNumber ?? "";
  const { throttled } = await ctx.db.one<{ throttled: boolean }>(sql`
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
      await recordAudit(tx, {
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
