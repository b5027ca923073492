/** Writes down what a main merchant did to which account, and with which credential. */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";

export async function recordDeed(
  tx: Tx,
  caller: Caller,
  deed: {
    action: "account_created" | "account_changed" | "account_closed";
    accountNumber: string;
    detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { credential } = caller;
  const used =
    credential.kind === "key" ? { kid: credential.kid } : { grant_id: credential.grantId };
  await recordAudit(tx, {
    action: deed.action,
    accountNumber: deed.accountNumber,
    actor: `account ${caller.accountNumber}`,
    detail: { ...used, ...deed.detail },
  });
}
