import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, credentialName } from "../../infra/http/caller.ts";

/** What was changed and with which credential; never a value of it. */
export async function auditChange(
  tx: Tx,
  { accountNumber, credential }: Caller,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAudit(tx, { action, accountNumber, actor: credentialName(credential), detail });
}
