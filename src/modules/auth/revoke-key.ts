/** Ends a key at once, on every process. Doing it again changes nothing and is no error. */

import { recordDeed } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { findKey } from "./api-key.ts";

export async function revokeKey(tx: Tx, caller: Caller, kid: string): Promise<void> {
  const { accountNumber } = caller;
  const key = await findKey(tx, { kid, accountNumber }, "for update");
  if (key.revoked_at !== null) return;
  await tx.run(sql`update api_keys set revoked_at = app_now() where kid = ${key.kid}`);
  await recordDeed(tx, caller, "key_revoked", { detail: { key: kid } });
}
