/**
 * Ends a key at once, on every process. Doing it again changes nothing and is no error. The token
 * must carry what the key carries (Decision 0074): ending the key of another program is as much as
 * making it. Scopes that the account may no longer hold are left out, because no token has them and
 * the key could never be revoked.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { mayHold } from "./allowed-scopes.ts";
import { findKey } from "./api-key.ts";
import { demandScopes } from "./create-key.ts";

export async function revokeKey(tx: Tx, caller: Caller, kid: string): Promise<void> {
  const { accountNumber } = caller;
  const key = await findKey(tx, { kid, accountNumber }, "for update");
  demandScopes(
    caller,
    key.scopes.filter((scope) => mayHold(caller, scope)),
  );
  if (key.revoked_at !== null) return;
  await tx.run(sql`update api_keys set revoked_at = app_now() where kid = ${key.kid}`);
  await recordAudit(tx, caller, "key_revoked", { detail: { key: kid } });
}
