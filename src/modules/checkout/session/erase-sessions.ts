/**
 * Takes out of ended sessions what may name a customer (Decision 0122): of the address that the
 * merchant wanted the browser back at, only whose it is stays.
 */

import { sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";

export async function eraseSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update checkout_sessions
    set response_url = regexp_replace(response_url, '^(https?://[^/?#]*).*$', '\\1/')
    where transaction_id = any (${ids}) and state = 'ended'`);
  await tx.run(sql`
    update checkout_attempts set challenge_html = null
    where transaction_id = any (${ids}) and challenge_html is not null`);
}
