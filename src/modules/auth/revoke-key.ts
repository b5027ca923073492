/** Ends a key at once, on every process. Doing it again changes nothing and is no error. */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { findKey } from "./api-key.ts";

export async function revokeKey(
  tx: Tx,
  asked: { kid: string; accountNumber: string },
): Promise<void> {
  const key = await findKey(tx, asked, "for update");
  await tx.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, app_now()) where kid = ${key.kid}`);
}
