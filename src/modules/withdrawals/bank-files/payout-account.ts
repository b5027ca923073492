/**
 * Our own bank accounts, as the setting PAYOUT_ACCOUNTS names them. They are a setting and not an
 * option of a command, so that nobody pays from a mistyped account (Decision 0048).
 */

import type { Config } from "../../../infra/config.ts";

interface PayoutAccount {
  readonly account: string;
  /** Its SWIFT code. */
  readonly bank: string;
  /** Whose it is: ours, as that bank spells it. */
  readonly name: string;
}

export function findPayoutAccount(
  { payoutAccounts }: Config,
  wanted: { countryCode: string; currency: string },
): PayoutAccount | undefined {
  const prefix = `${wanted.countryCode}:${wanted.currency}:`;
  const found = payoutAccounts.find((account) => account.startsWith(prefix));
  if (found === undefined) return undefined;
  const [account = "", bank = "", ...name] = found.slice(prefix.length).split(":");
  return { account, bank, name: name.join(":") };
}
